import type { Ctx } from '../../context.ts';
import { accountsWithEmail, findUserById, holdUser, type User } from './accounts.store.ts';

/** Whose something is, as far as mails and bounds need them. */
export type AccountFacts = Pick<User, 'id' | 'email' | 'firstName' | 'langKey' | 'authorities' | 'createdAt'>;

export async function findAccount(ctx: Ctx, userId: string): Promise<AccountFacts | null> {
  const user = await findUserById(ctx, userId);
  if (!user) return null;
  const { id, email, firstName, langKey, authorities, createdAt } = user;
  return { id, email, firstName, langKey, authorities, createdAt };
}

/** What one account does at the same time is done one after the other: held for the rest of the transaction. */
export function holdAccount(tx: Ctx, userId: string): Promise<void> {
  return holdUser(tx, userId);
}

/** Accounts as SQL, for a statement that reads or writes more on its way. */
export const accountParts = { withEmail: accountsWithEmail };
