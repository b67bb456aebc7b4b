import { type RawBuilder, sql } from 'kysely';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { accountParts } from '../accounts/find-account.ts';

/**
 * SQL for the accounts that the addresses of these signers belong to by now: who is invited is bound to the confirmed one. They are
 * held until the end: one that is being activated at this moment is seen as it will be, or finds the signer itself (`bindSigners`).
 */
export function accountsInvited(signerIds: readonly string[]) {
  return accountParts.withEmail(sql`select email from signer where id = any(${signerIds}::uuid[])`);
}

/**
 * Binds to an account who was invited by its address and is nobody's yet. One that another act holds at this moment is left for
 * the next time, so that a sign-in waits for none.
 */
export async function bindSigners(tx: Ctx, { userId, email }: { userId: string; email: string }): Promise<void> {
  await sql`
    update signer set user_id = ${userId} where id in (
      select id from signer where email = ${email} and user_id is null and status <> 'WAITING' for update skip locked
    )`.execute(tx.db);
}

/** The processes that lists may show somebody: the only place that says whose they are. */
export interface Scope {
  /** They created it. */
  readonly owned: RawBuilder<boolean>;
  /** They are a signer, and invited. */
  readonly received: RawBuilder<boolean>;
  /** It waits for their act. */
  readonly pending: RawBuilder<boolean>;
}

export function scope({ userId }: Pick<Person, 'userId'>): Scope {
  const signs = (condition: RawBuilder<unknown>) =>
    sql<boolean>`exists (select 1 from signer s where s.signature_process_id = signature_process.id and s.user_id = ${userId} and ${condition})`;
  return {
    owned: sql<boolean>`signature_process.owner_id = ${userId}`,
    received: signs(sql`s.status <> 'WAITING'`),
    pending: sql<boolean>`(signature_process.status = 'IN_PROGRESS' and ${signs(sql`s.status = 'SENT'`)})`,
  };
}
