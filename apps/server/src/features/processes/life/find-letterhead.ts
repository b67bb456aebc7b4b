import type { Ctx } from '../../../context.ts';
import type { Letterhead } from '../../../paper/letterhead.ts';
import { findLetterheadOf } from '../../companies/find-letterhead-of.ts';
import type { LoadedProcess } from '../signature-process.ts';
import { isNewSender } from './sender-standing.ts';

/**
 * As whose the paper of a process looks: the company's that its sender belonged to when they created it; null: the product's, as it is
 * for a sender without history.
 */
export async function findLetterhead(
  ctx: Ctx,
  { sender, senderCompany, createdAt }: Pick<LoadedProcess, 'sender' | 'senderCompany' | 'createdAt'>,
): Promise<Letterhead | null> {
  // Most belong to none: nothing is asked then.
  if (!sender || !senderCompany || senderCompany.joinedAt > createdAt) return null;
  const letterhead = await findLetterheadOf(ctx, senderCompany.id);
  return letterhead && !(await isNewSender(ctx, sender)) ? letterhead : null;
}
