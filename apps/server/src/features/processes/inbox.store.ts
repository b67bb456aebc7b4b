import { type RawBuilder, sql } from 'kysely';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import type { Locale } from '../../language/translator.ts';
import { accountParts } from '../accounts/find-account.ts';

/**
 * SQL for the accounts that the addresses of these signers belong to by now: who is invited is bound to the confirmed one. They are
 * held until the end: one that is being activated at this moment is seen as it will be, or finds the signer itself (`bindSigners`).
 */
export function accountsInvited(signerIds: readonly string[]) {
  return accountParts.withEmail(sql`select email from signer where id = any(${signerIds}::uuid[])`);
}

/**
 * Binds to an account who was invited by its address and is nobody's yet. One that another act holds at this moment, or its process,
 * is left for the next time, so that a sign-in waits for none.
 */
export async function bindSigners(tx: Ctx, { userId, email }: { userId: string; email: string }): Promise<void> {
  await sql`
    update signer set user_id = ${userId} where id in (
      select s.id from signer s join signature_process p on p.id = s.signature_process_id
      where s.email = ${email} and s.user_id is null and s.status <> 'WAITING' for no key update skip locked
    )`.execute(tx.db);
}

/** Who a signer is, as far as the sender says. */
export interface CorrectedSigner {
  name: string;
  email: string;
  phoneNumber: string | null;
  cpf: string | null;
  cnpj: string | null;
}

/**
 * Writes it; where the address is another, they become the account's that has it, if they were called already, or nobody's, and are written
 * to in the process's language: whoever had the link may have chosen another for themselves.
 */
export async function correctContact(tx: Ctx, signerId: string, { name, email, phoneNumber, cpf, cnpj }: CorrectedSigner): Promise<void> {
  await sql`
    with account as materialized (${accountParts.withEmail(sql`select ${email}::text`)})
    update signer set
      name = ${name}, email = ${email}, phone_number = ${phoneNumber}, legal_identifier = ${cpf}, company_identifier = ${cnpj},
      erasure_asked_at = case when email = ${email} then erasure_asked_at end,
      lang_key = case when email = ${email} then lang_key else (select lang_key from signature_process where id = signature_process_id) end,
      user_id = case
        when email = ${email} then user_id
        when status = 'WAITING' then null
        else (select id from account where account.email = ${email} and account.activated)
      end
    where id = ${signerId} and status in ('WAITING', 'SENT')`.execute(tx.db);
}

/** The language of somebody who has still to act; false when they have acted. */
export async function changeLanguage({ db }: Ctx, signerId: string, langKey: Locale): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update signer set lang_key = ${langKey} where id = ${signerId} and status in ('WAITING', 'SENT')`.execute(db);
  return numAffectedRows === 1n;
}

/** The listed processes that are somebody's to see: the only place that says whose they are. */
export function scope({ userId }: Pick<Person, 'userId'>): RawBuilder<boolean> {
  return sql<boolean>`listed_process.user_id = ${userId}`;
}
