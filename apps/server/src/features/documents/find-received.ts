import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { receivedParts } from './upload-parts.ts';

/** How many bytes of a file have come, from its beginning; of what nobody sent it is none. */
export async function findReceived(ctx: Ctx, actor: Person, uploadId: string): Promise<number> {
  return (await receivedParts(ctx, actor, uploadId)).received;
}
