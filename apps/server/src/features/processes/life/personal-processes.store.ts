import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';

/** A person, as processes know them. */
export interface DataSubject {
  id: string;
  email: string;
}

/**
 * A signer is the account's that they were bound to, wherever its address has gone since; an address alone says who they are only
 * where none was: what another account gave under it before is not its next holder's.
 */
const isSigner = ({ id, email }: DataSubject) => sql`(signer.user_id = ${id} or (signer.user_id is null and signer.email = ${email}))`;

/** What somebody started, or signs, or was told of. Others' drafts are nobody's to see. */
export async function listIdsAbout(ctx: Ctx, subject: DataSubject): Promise<string[]> {
  const { id, email } = subject;
  const { rows } = await sql<{ id: string }>`
    select id from signature_process where owner_id = ${id}
    union select p.id from signer join signature_process p on p.id = signer.signature_process_id
      where ${isSigner(subject)} and signer.status <> 'WAITING' and p.status <> 'DRAFT'
    union select p.id from stakeholder k join signature_process p on p.id = k.signature_process_id where k.email = ${email} and p.status <> 'DRAFT'
    order by id`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** The signers that somebody is. */
export async function listSignersOf(ctx: Ctx, subject: DataSubject): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from signer where ${isSigner(subject)}`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** The processes of an account in one of these states; after `after`, by id. */
export async function listOwnIds(
  ctx: Ctx,
  ownerId: string,
  asked: {
    statuses: readonly ('DRAFT' | 'IN_PROGRESS' | 'FINALIZED_BY_EXPIRATION' | 'FINALIZED_BY_REJECTION' | 'CREATOR_CANCELED')[];
    after: string | null;
    limit: number;
  },
): Promise<string[]> {
  let own = ctx.db.selectFrom('signature_process').select('id').where('owner_id', '=', ownerId).where('status', 'in', asked.statuses);
  if (asked.after !== null) own = own.where('id', '>', asked.after);
  const rows = await own.where('files_removed_at', 'is', null).orderBy('id').limit(asked.limit).execute();
  return rows.map((row) => row.id);
}

/** Of what has ended: telephones, CPFs of who did not sign, and who was only to be told. */
export async function forgetContacts(tx: Ctx, subject: DataSubject): Promise<void> {
  const ended = sql`select p.id from signature_process p where p.status not in ('DRAFT', 'IN_PROGRESS')`;
  await sql`
    update signer set phone_number = null, legal_identifier = case when status = 'SIGNED' then legal_identifier end
    where ${isSigner(subject)} and (phone_number is not null or legal_identifier is not null)
      and signature_process_id in (${ended})`.execute(tx.db);
  await sql`delete from stakeholder where email = ${subject.email} and signature_process_id in (${ended})`.execute(tx.db);
}
