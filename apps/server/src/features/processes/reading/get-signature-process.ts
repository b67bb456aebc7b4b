import type { getSignatureProcess as call, Reply } from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { loadOwnProcess } from './participation.ts';
import { processReply } from './process-reply.ts';

/** A process of the actor's own, or one that they were asked to sign. @throws DomainError process.notFound */
export async function getSignatureProcess(ctx: Ctx, actor: Person, id: string): Promise<Reply<typeof call>> {
  return processReply(await loadOwnProcess(ctx, actor, id));
}
