import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/**
 * SQL for the accounts that the addresses of these signers belong to by now: who is invited is bound to the confirmed one. They are
 * held until the end: one that is being activated at this moment is seen as it will be, or finds the signer itself (`bindSigners`).
 */
export function accountsInvited(signerIds: readonly string[]) {
  return sql`select id, email, activated from app_user
    where email in (select email from signer where id = any(${signerIds}::uuid[])) for key share`;
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

/** SQL for "this row's process was received by this account": a signer already invited. */
export function receivedBy(userId: string) {
  return sql<boolean>`exists (select 1 from signer s where s.signature_process_id = signature_process.id and s.user_id = ${userId} and s.status <> 'WAITING')`;
}

/** SQL for "waits for this account's act". */
export function pendingFor(userId: string) {
  return sql<boolean>`(signature_process.status = 'IN_PROGRESS' and exists (select 1 from signer s where s.signature_process_id = signature_process.id and s.user_id = ${userId} and s.status = 'SENT'))`;
}
