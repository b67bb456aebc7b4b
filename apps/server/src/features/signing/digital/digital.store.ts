import type { PreparedSignature } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';

export interface NewDigitalAttempt {
  id: string;
  signerId: string;
  signatureProcessId: string;
  kind: 'cloud' | 'local';
  psc: string | null;
  stateHash: string | null;
  browserHash: string | null;
  secret: Buffer | null;
  expiresAt: Date;
}

/** Opens an attempt that waits for the key's holder; false when the signer has one open. */
export async function openDigitalAttempt(tx: Ctx, attempt: NewDigitalAttempt): Promise<boolean> {
  const now = tx.clock.now();
  const written = await tx.db
    .insertInto('signing_attempt')
    .values({
      id: attempt.id,
      signer_id: attempt.signerId,
      signature_process_id: attempt.signatureProcessId,
      kind: attempt.kind,
      state: 'authorizing',
      reason: null,
      expires_at: attempt.expiresAt,
      psc: attempt.psc,
      state_hash: attempt.stateHash,
      browser_hash: attempt.browserHash,
      secret: attempt.secret,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows ?? 0) === 1;
}

/** The attempt of a signer that still waits for the holder, held until the end of the transaction: nothing of it is being signed. */
export async function lockWaitingAttempt(tx: Ctx, signerId: string): Promise<string | null> {
  const row = await tx.db
    .selectFrom('signing_attempt')
    .select('id')
    .where('signer_id', '=', signerId)
    .where('state', '=', 'authorizing')
    .forUpdate()
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Keeps an open attempt from being closed until the end of the transaction; false when it is closed already. */
export async function lockOpenAttempt(tx: Ctx, id: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('signing_attempt')
    .select('id')
    .where('id', '=', id)
    .where('state', 'in', ['authorizing', 'signing'])
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The holder has done their part: from now on we are waited for. False when the attempt is closed. */
export async function markSigning(tx: Ctx, id: string, reason: string): Promise<boolean> {
  const changed = await tx.db
    .updateTable('signing_attempt')
    .set({ state: 'signing', reason, updated_at: tx.clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'authorizing')
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) === 1;
}

/** Lease: takes or keeps the documents of a process for an attempt; false while another attempt holds them. */
export async function takeLease(ctx: Ctx, signatureProcessId: string, attemptId: string, until: Date): Promise<boolean> {
  const written = await ctx.db
    .insertInto('signing_lease')
    .values({ signature_process_id: signatureProcessId, attempt_id: attemptId, expires_at: until })
    .onConflict((conflict) =>
      conflict
        .column('signature_process_id')
        .doUpdateSet({ attempt_id: attemptId, expires_at: until })
        .where((free) =>
          free.or([free('signing_lease.expires_at', '<=', ctx.clock.now()), free('signing_lease.attempt_id', '=', attemptId)]),
        ),
    )
    .executeTakeFirst();
  return Number(written.numInsertedOrUpdatedRows ?? 0) === 1;
}

export interface PreparedRow {
  documentId: string;
  seq: number;
  prepared: PreparedSignature;
  value: Uint8Array | null;
}

/** Writes down what is meant to be signed, in place of what was before. */
export async function replacePrepared(tx: Ctx, attemptId: string, rows: readonly Omit<PreparedRow, 'value'>[]): Promise<void> {
  await tx.db.deleteFrom('prepared_signature').where('attempt_id', '=', attemptId).execute();
  await tx.db
    .insertInto('prepared_signature')
    .values(
      rows.map(({ documentId, seq, prepared }) => ({
        attempt_id: attemptId,
        document_id: documentId,
        seq,
        prepared: Buffer.from(JSON.stringify(prepared)),
        value: null,
      })),
    )
    .execute();
}

export async function listPrepared(ctx: Ctx, attemptId: string): Promise<PreparedRow[]> {
  const rows = await ctx.db.selectFrom('prepared_signature').selectAll().where('attempt_id', '=', attemptId).execute();
  return rows.map((row) => ({
    documentId: row.document_id,
    seq: row.seq,
    prepared: JSON.parse(row.prepared.toString()) as PreparedSignature,
    value: row.value,
  }));
}

/** False: that document was not prepared in this attempt. */
export async function keepValue(tx: Ctx, attemptId: string, documentId: string, value: Uint8Array): Promise<boolean> {
  const changed = await tx.db
    .updateTable('prepared_signature')
    .set({ value: Buffer.from(value) })
    .where('attempt_id', '=', attemptId)
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  return Number(changed.numUpdatedRows) === 1;
}

/** The evidence names whom the certificate names, and the policy that the signature names (dotted). */
export async function setEvidenceCertificate(
  tx: Ctx,
  attemptId: string,
  { name, certificate, policy }: { name: string; certificate: Uint8Array; policy: string },
): Promise<void> {
  await tx.db
    .updateTable('signature_evidence')
    .set({ name, certificate: Buffer.from(certificate), policy })
    .where('attempt_id', '=', attemptId)
    .execute();
}
