import { assertMayAct, DomainError } from '@lavra/domain';
import { parseCertificate, type PreparedSignature, type SignaturePolicy, type SignatureRequest } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import { readBytes } from '../../../storage/blob-store.ts';
import { assertClock } from '../../clock/clock-watch.ts';
import { type DocumentFile, openDocumentFile } from '../../documents/document-file.ts';
import { acting, prepareStoredSignature } from '../../documents/stored-pdf.ts';
import { loadProcess } from '../../processes/load-process.ts';
import type { LoadedProcess } from '../../processes/signature-process.ts';
import { fieldNames } from '../../../paper/field-names.ts';
import { fieldFills, type SignerAppearances } from '../field-fills.ts';
import { findAttempt, findEvidence } from '../signing.store.ts';
import { digitalAppearances } from './appearances.ts';
import { issuerName } from './certificate-names.ts';
import { listPrepared, lockOpenAttempt, replacePrepared, setEvidenceCertificate, takeLease } from './digital.store.ts';
import type { JudgedCertificate } from './judge-certificate.ts';
import { digitalPolicy } from './policy.ts';

export interface PreparedDocument {
  documentId: string;
  name: string;
  prepared: PreparedSignature;
}

/** The lease: how long one signer may hold the documents, while a PIN is typed or a provider answers. */
export const leaseMs = 3 * 60_000;

/**
 * Takes the documents for this attempt and writes down what is to be signed in each: by the policy of this installation, with the judged certificate,
 * on the newest revision. Called again it answers the same, unless the documents went on meanwhile.
 * @throws DomainError server.clockBehind; signing.documentBusy while another signer holds the documents; signing.prepareAgain when the attempt is closed; what `assertMayAct` refuses
 */
export async function prepareAttempt(ctx: Ctx, attemptId: string, judged: JudgedCertificate): Promise<readonly PreparedDocument[]> {
  await assertClock(ctx);
  const attempt = await findAttempt(ctx, attemptId);
  if (!attempt) throw new DomainError('signing.prepareAgain');
  const loaded = await loadProcess(ctx, attempt.signatureProcessId);
  assertMayAct(loaded, attempt.signerId, ctx.clock.now());
  const until = new Date(ctx.clock.now().getTime() + leaseMs);
  await whileOpen(ctx, attemptId, async (tx) => {
    if (!(await takeLease(tx, loaded.id, attemptId, until))) throw new DomainError('signing.documentBusy');
  });
  const files = await Promise.all(loaded.documents.map(({ id }) => openDocumentFile(ctx, id)));
  const known = await listPrepared(ctx, attemptId);
  const isCurrent = (file: DocumentFile) =>
    known.some(
      (row) =>
        row.documentId === file.documentId &&
        row.seq === file.nextSeq &&
        Buffer.from(row.prepared.certificate, 'base64').equals(judged.certificate),
    );
  if (files.every(isCurrent)) return files.map((file) => answer(file, known));
  const index = loaded.signers.findIndex(({ id }) => id === attempt.signerId);
  const at = ctx.clock.now();
  const appearances = await appearancesOf(ctx, loaded, index, attemptId, judged, at);
  const policy = digitalPolicy(ctx);
  const rows: { documentId: string; seq: number; prepared: PreparedSignature }[] = [];
  for (const file of files)
    rows.push({
      documentId: file.documentId,
      seq: file.nextSeq,
      prepared: await prepareOne(ctx, loaded, file, index, { judged, policy, appearances, at }),
    });
  await whileOpen(ctx, attemptId, async (tx) => {
    await replacePrepared(tx, attemptId, rows);
    await setEvidenceCertificate(tx, attemptId, { name: judged.holder.name, certificate: judged.certificate, policy: policy.oid });
  });
  return files.map((file) => answer(file, rows));
}

/** Fencing: whoever closes an attempt frees what it holds, so that an attempt which is closed by then takes nothing any more. */
function whileOpen(ctx: Ctx, attemptId: string, act: (tx: Ctx) => Promise<void>): Promise<void> {
  return ctx.transaction(async (tx) => {
    if (!(await lockOpenAttempt(tx, attemptId))) throw new DomainError('signing.prepareAgain');
    await act(tx);
  });
}

function answer(file: DocumentFile, rows: readonly { documentId: string; prepared: PreparedSignature }[]): PreparedDocument {
  const row = rows.find(({ documentId }) => documentId === file.documentId);
  if (!row) throw new Error('a document was not prepared');
  return { documentId: file.documentId, name: file.name, prepared: row.prepared };
}

async function appearancesOf(ctx: Ctx, loaded: LoadedProcess, index: number, attemptId: string, judged: JudgedCertificate, at: Date) {
  const evidence = await findEvidence(ctx, attemptId);
  const signer = loaded.signers[index];
  if (!evidence || !signer) throw new Error('attempt without evidence');
  const facts = {
    holder: judged.holder,
    issuer: issuerName(judged.certificate),
    serial: parseCertificate(judged.certificate).serial.replace(/^(00)+/, ''),
    model: signer.model,
    email: signer.email,
    ip: evidence.ip,
    channel: evidence.channel,
    at,
    image: evidence.imageHash === null ? null : await readBytes(ctx.storage, evidence.imageHash),
  };
  return digitalAppearances(facts, loaded.langKey, ctx.translate);
}

async function prepareOne(
  ctx: Ctx,
  loaded: LoadedProcess,
  file: DocumentFile,
  index: number,
  {
    judged: { certificate, chain, holder },
    policy,
    appearances,
    at,
  }: { judged: JudgedCertificate; policy: SignaturePolicy; appearances: SignerAppearances; at: Date },
): Promise<PreparedSignature> {
  const request: SignatureRequest = {
    field: fieldNames(file.documentId).signature(index),
    certificate,
    chain,
    policy,
    // The value is there once: a token that does not fit, with chain and licence (alvará), could never be put in.
    ...(ctx.icpBrasilTimestamps ? { reserve: roomFor([certificate, ...chain]) } : {}),
    name: holder.name,
    signingTime: at,
    appearance: appearances.stamp,
    fills: await fieldFills(ctx, loaded, file.documentId, index, appearances),
  };
  return prepareStoredSignature(ctx, file, request, acting(loaded.ownerId));
}

const ROOM_FOR_TOKEN = 32 * 1024;

function roomFor(certificates: readonly Uint8Array[]): number {
  return certificates.reduce((sum, { length }) => sum + length, ROOM_FOR_TOKEN);
}
