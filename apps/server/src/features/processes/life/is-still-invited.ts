import { findLink } from '../../../access/signer-links.store.ts';
import type { Ctx } from '../../../context.ts';
import { isWaitedFor } from '../processes.store.ts';

/** Whether a link is open to a signer whose turn it is, in a process under way: else nobody is invited by it any more. */
export async function isStillInvited(ctx: Ctx, linkKey: string): Promise<boolean> {
  const link = await findLink(ctx, linkKey);
  return link !== null && !link.isEnded && (await isWaitedFor(ctx, link.signerId));
}
