import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { maxFileBytes } from '../documents/upload-room.ts';

/** Whether the actor may upload a file of so many bytes. */
export async function isSizeAllowed(ctx: Ctx, actor: Person, bytes: number): Promise<boolean> {
  return bytes <= maxFileBytes(ctx, actor);
}
