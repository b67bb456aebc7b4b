import type { Ctx } from '../../context.ts';
import {
  type AccountJson,
  accountJson,
  accountNameOf,
  accountsWithEmail,
  findUserByEmail,
  findAccountNames,
  findUserById,
  holdUserById,
  isAccountOpen,
  type User,
} from './accounts.store.ts';

/** Whose something is, as far as mails and bounds need them. */
export type AccountFacts = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'langKey' | 'authorities' | 'createdAt'>;

export async function findAccount(ctx: Ctx, userId: string): Promise<AccountFacts | null> {
  return factsOf(await findUserById(ctx, userId));
}

function factsOf(user: User | undefined): AccountFacts | null {
  // Whose data were erased is nobody to write to.
  if (!user || user.state === 'erased') return null;
  const { id, email, firstName, lastName, langKey, authorities, createdAt } = user;
  return { id, email, firstName, lastName, langKey, authorities, createdAt };
}

/** What somebody else is shown of accounts, in no order. */
export function listAccounts(ctx: Ctx, ids: readonly string[]): Promise<Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>[]> {
  return findAccountNames(ctx, ids);
}

/** Whether somebody has shown that this address is theirs. */
export async function isProvenAddress(ctx: Ctx, email: string): Promise<boolean> {
  const user = await findUserByEmail(ctx, email);
  return user !== undefined && user.state !== 'notActivated';
}

/** The same, held for the rest of the transaction: what one account does at the same time is done one after the other. */
export async function holdAccount(tx: Ctx, userId: string): Promise<AccountFacts | null> {
  return factsOf(await holdUserById(tx, userId));
}

/** Accounts as SQL, for a statement that reads or writes more on its way. */
export const accountParts = { withEmail: accountsWithEmail, facts: accountJson, name: accountNameOf, isOpen: isAccountOpen };

/** What such a statement answers of an account. */
export function accountFacts(json: AccountJson | null): AccountFacts | null {
  return json && { ...json, createdAt: new Date(json.createdAt) };
}
