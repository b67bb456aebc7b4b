import type { Insertable } from 'kysely';
import type { Ctx } from '../../context.ts';
import { enterBlob } from '../../storage/blobs.store.ts';
import type { AttemptState, SignatureEvidenceTable } from '../../db/process-tables.ts';

/** Opens an attempt; null when the signer has one open already (a double click joins it). */
export async function openAttempt(tx: Ctx, attempt: { id: string; signerId: string; signatureProcessId: string }): Promise<boolean> {
  const now = tx.clock.now();
  const written = await tx.db
    .insertInto('signing_attempt')
    .values({
      id: attempt.id,
      signer_id: attempt.signerId,
      signature_process_id: attempt.signatureProcessId,
      kind: 'electronic',
      state: 'signing',
      reason: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findAttempt(ctx: Ctx, id: string) {
  return ctx.db.selectFrom('signing_attempt').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The open attempt, or else the newest: two may begin in the same millisecond, and the one that gave way is over. */
export async function findLastAttempt(ctx: Ctx, signerId: string) {
  return ctx.db
    .selectFrom('signing_attempt')
    .selectAll()
    .where('signer_id', '=', signerId)
    .orderBy((attempt) => attempt('state', 'in', ['authorizing', 'signing']), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** How an attempt ended. `params` fill the reason's sentence; `fingerprint`: of the certificate that signed, SHA-256, hex. */
export interface AttemptEnd {
  state: Extract<AttemptState, 'signed' | 'failed' | 'expired'>;
  reason: string | null;
  params?: Readonly<Record<string, string | number>> | null;
  fingerprint?: string;
}

/** Closes an open attempt, and with it everything it held, in one statement; false when it was closed already. */
export async function closeAttempt(ctx: Ctx, id: string, { state, reason, params = null, fingerprint }: AttemptEnd): Promise<boolean> {
  const closed = await ctx.db
    .with('closed', (db) =>
      db
        .updateTable('signing_attempt')
        .set({ state, reason, reason_params: params && JSON.stringify(params), secret: null, updated_at: ctx.clock.now() })
        .where('id', '=', id)
        .where('state', 'in', ['authorizing', 'signing'])
        .returning('id'),
    )
    .with('forgotten', (db) => db.deleteFrom('prepared_signature').where('attempt_id', 'in', db.selectFrom('closed').select('id')))
    .with('released', (db) => db.deleteFrom('signing_lease').where('attempt_id', 'in', db.selectFrom('closed').select('id')))
    .with('evidenced', (db) =>
      db
        .updateTable('signature_evidence')
        .set({ certificate_fingerprint: fingerprint ?? null })
        .where('attempt_id', 'in', db.selectFrom('closed').select('id'))
        .where((eb) => eb.lit(fingerprint !== undefined)),
    )
    .selectFrom('closed')
    .select('id')
    .executeTakeFirst();
  return closed !== undefined;
}

/** Notes on an open attempt why its last try failed. */
export async function noteAttempt(ctx: Ctx, id: string, reason: string): Promise<void> {
  await ctx.db
    .updateTable('signing_attempt')
    .set({ reason, updated_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'signing')
    .execute();
}

/** Open attempts that nothing has been heard of since `before`, or that wait for the clock. */
export async function listStaleAttemptIds(ctx: Ctx, kind: 'electronic' | 'local', before: Date): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('signing_attempt')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', 'signing')
    .where((eb) => eb.or([eb('updated_at', '<', before), eb('reason', '=', 'server.clockBehind')]))
    .limit(500)
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertEvidence(tx: Ctx, row: Insertable<SignatureEvidenceTable>): Promise<void> {
  if (row.image_hash) await enterBlob(tx, { sha256: row.image_hash }, 'image');
  await tx.db.insertInto('signature_evidence').values(row).execute();
}

export async function findEvidence(ctx: Ctx, attemptId: string) {
  return ctx.db.selectFrom('signature_evidence').selectAll().where('attempt_id', '=', attemptId).executeTakeFirst();
}

/** The evidence of everyone who signed, by signer. */
export async function listSignedEvidence(ctx: Ctx, signatureProcessId: string) {
  return ctx.db
    .selectFrom('signature_evidence')
    .innerJoin('signing_attempt', 'signing_attempt.id', 'signature_evidence.attempt_id')
    .selectAll('signature_evidence')
    .where('signing_attempt.signature_process_id', '=', signatureProcessId)
    .where('signing_attempt.state', '=', 'signed')
    .execute();
}
