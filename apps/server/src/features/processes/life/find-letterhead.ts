import type { Ctx } from '../../../context.ts';
import type { Letterhead } from '../../../paper/letterhead.ts';
import { findAccount } from '../../accounts/find-account.ts';
import { findOwnCompany } from '../../companies/find-own-company.ts';
import type { LoadedProcess } from '../signature-process.ts';
import { isNewSender } from './sender-standing.ts';

/**
 * As whose the paper of a process looks: the company's that its sender belonged to when they created it; null: the product's, as it is
 * for a sender without history.
 */
export async function findLetterhead(
  ctx: Ctx,
  { ownerId, createdAt }: Pick<LoadedProcess, 'ownerId' | 'createdAt'>,
): Promise<Letterhead | null> {
  // Most belong to none: nothing else is asked then.
  const company = await findOwnCompany(ctx, ownerId, createdAt);
  const owner = company && (await findAccount(ctx, ownerId));
  return owner && !(await isNewSender(ctx, owner)) ? company : null;
}
