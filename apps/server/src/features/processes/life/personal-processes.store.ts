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

const ENDED = sql`p.status not in ('DRAFT', 'IN_PROGRESS')`;
const endedProcesses = sql`select p.id from signature_process p where ${ENDED}`;

/** Of what has ended: telephones, CPFs of who did not sign, and who was only to be told. */
export async function forgetContacts(tx: Ctx, subject: DataSubject): Promise<void> {
  await sql`
    update signer set phone_number = null, legal_identifier = case when status = 'SIGNED' then legal_identifier end
    where ${isSigner(subject)} and (phone_number is not null or legal_identifier is not null)
      and signature_process_id in (${endedProcesses})`.execute(tx.db);
  await sql`delete from stakeholder where email = ${subject.email} and signature_process_id in (${endedProcesses})`.execute(tx.db);
}

/** Of what has not ended: that it is to be forgotten then. */
export async function askToForget(tx: Ctx, subject: DataSubject): Promise<void> {
  const asked = sql`set erasure_asked_at = ${tx.clock.now()}`;
  await sql`update signer ${asked} where ${isSigner(subject)} and signature_process_id not in (${endedProcesses})`.execute(tx.db);
  await sql`update stakeholder ${asked} where email = ${subject.email} and signature_process_id not in (${endedProcesses})`.execute(tx.db);
}

/** Signers who asked to be forgotten and whose processes have ended since; after `after`, by id. */
export async function listToForget(ctx: Ctx, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select signer.id from signer join signature_process p on p.id = signer.signature_process_id
    where erasure_asked_at is not null and ${ENDED} and (${after}::uuid is null or signer.id > ${after}::uuid)
    order by signer.id limit ${limit}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** As `forgetContacts`. Nothing tells any more that they asked, but of those who are to be looked at again. */
export async function forgetSigners(tx: Ctx, ids: readonly string[], again: readonly string[]): Promise<void> {
  await sql`
    update signer set phone_number = null, legal_identifier = case when status = 'SIGNED' then legal_identifier end,
      erasure_asked_at = case when id = any(${again}::uuid[]) then erasure_asked_at end
    where id = any(${ids}::uuid[])`.execute(tx.db);
}

/** Interested parties who asked to be forgotten and whose processes have ended since. */
export async function forgetStakeholders(tx: Ctx): Promise<void> {
  await sql`delete from stakeholder where erasure_asked_at is not null and signature_process_id in (${endedProcesses})`.execute(tx.db);
}
