import type { Readable } from 'node:stream';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { loadOwnProcess } from './participation.ts';

/** Tells whoever may see a process that something of it changed. @throws DomainError process.notFound: also for somebody else's */
export async function followProcess(ctx: Ctx, actor: Person, id: string): Promise<Readable> {
  await loadOwnProcess(ctx, actor, id);
  return ctx.changes.follow(id, actor.from.ip);
}
