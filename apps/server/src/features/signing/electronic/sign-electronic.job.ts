import { assertMayAct, currentOrder, DomainError, limits } from '@lavra/domain';
import { type FieldFill, openPdf, type Revision, type Signer, signPdf } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { createTurns } from '../../../jobs/turns.ts';
import { putBytes, readBytes } from '../../../storage/blob-store.ts';
import { appendRevision, type DocumentFile, hashDocumentFile, openDocumentFile } from '../../documents/document-file.ts';
import { sendFinalization } from '../../processes/finalize-process.ts';
import { inviteNextSigners } from '../../processes/invite-next-signers.ts';
import { type LoadedProcess, loadProcess } from '../../processes/load-process.ts';
import { listProcessPlacements, lockSignatureProcess } from '../../processes/process-lookups.ts';
import { recordEvent } from '../../processes/record-event.ts';
import { fieldNames } from '../document-fields.ts';
import { refusalOf } from '../refusal.ts';
import { signingFault } from '../signing-fault.ts';
import { closeAttempt, closeSigner, findAttempt, findEvidence, noteAttempt, setFingerprint } from '../signing.store.ts';
import { evidenceAppearance, type SignerFacts, stampAppearance } from './appearances.ts';
import { singleUseSigner } from './single-use-signer.ts';

interface SignedDocument {
  file: DocumentFile;
  blob: { sha256: string; size: number };
  fileHash: string;
}

type Attempt = NonNullable<Awaited<ReturnType<typeof findAttempt>>>;

/** Per installation: signers of one process are signed for in turn. */
const turns = new WeakMap<Ctx['config'], ReturnType<typeof createTurns>>();

/**
 * Signs all documents of a process for one signer: a single-use key, one revision each. Everything is made
 * first and recorded in one transaction, so that a crash leaves nothing half signed.
 */
export const signElectronicJob = defineJob<{ attemptId: string }>({
  name: 'sign-electronic',
  retryLimit: 4,
  exclusive: true,
  expireInSeconds: 3600,
  async run(ctx, { attemptId }) {
    const attempt = await findAttempt(ctx, attemptId);
    if (attempt?.state !== 'signing') return;
    try {
      await inTurn(ctx, attempt.signature_process_id, () => signOnNewestState(ctx, attemptId));
    } catch (error) {
      const fault = signingFault(error);
      if (fault.permanent) {
        ctx.log.warn({ err: error, attempt: attemptId }, 'cannot be signed');
        await closeAttempt(ctx, attemptId, 'failed', fault.reason);
        return;
      }
      await noteAttempt(ctx, attemptId, fault.reason);
      throw error;
    }
  },
  async onGivenUp(ctx, { attemptId }) {
    // The last try that could say why has noted it.
    const attempt = await findAttempt(ctx, attemptId);
    await closeAttempt(ctx, attemptId, 'failed', attempt?.reason ?? 'server.unexpected');
  },
});

function inTurn(ctx: Ctx, signatureProcessId: string, act: () => Promise<void>): Promise<void> {
  const take = turns.get(ctx.config) ?? createTurns();
  turns.set(ctx.config, take);
  return take(signatureProcessId, act);
}

/**
 * A signer of another program may come between reading and recording: the transaction then refuses, and we build
 * again at once on their state. Every such round means that somebody else has signed, so it ends.
 */
async function signOnNewestState(ctx: Ctx, attemptId: string): Promise<void> {
  for (let round = 0; ; round += 1) {
    const attempt = await findAttempt(ctx, attemptId);
    if (attempt?.state !== 'signing') return;
    const loaded = await loadProcess(ctx, attempt.signature_process_id);
    const refusal = refusalOf(loaded.state, attempt.signer_id, ctx.clock.now());
    if (refusal) {
      await closeAttempt(ctx, attemptId, 'failed', refusal);
      return;
    }
    try {
      return await signAll(ctx, loaded, attempt);
    } catch (error) {
      if (!(error instanceof DomainError) || round > limits.signersPerProcessMax) throw error;
    }
  }
}

async function signAll(ctx: Ctx, loaded: LoadedProcess, attempt: Attempt): Promise<void> {
  const evidence = await findEvidence(ctx, attempt.id);
  const index = loaded.signers.findIndex(({ id }) => id === attempt.signer_id);
  const signer = loaded.signers[index];
  if (!evidence?.image_hash || !signer) throw new Error('attempt without evidence');
  const key = await singleUseSigner(ctx, {
    id: signer.id,
    name: evidence.name,
    email: signer.email,
    deadlines: { general: loaded.row.due_date, individual: loaded.signers.map(({ due_date }) => due_date) },
  });
  const facts: SignerFacts = {
    ...evidence,
    email: signer.email,
    at: ctx.clock.now(),
    certificateSerial: key.serial,
    image: await readBytes(ctx.storage, evidence.image_hash),
  };
  const placements = (await listProcessPlacements(ctx, loaded.row.id)).filter((placement) => placement.signer_id === signer.id);
  const signed: SignedDocument[] = [];
  for (const document of loaded.documents) {
    const file = await openDocumentFile(ctx, document.id);
    const boxes = placements.filter((placement) => placement.document_id === document.id && placement.field_name !== null);
    const fills = fillsOf(ctx, loaded, file, index, facts, boxes);
    const revision = await signOne(ctx, file, index, key.signer, facts, fills);
    signed.push({ file, blob: await putBytes(ctx.storage, revision.bytes), fileHash: await hashDocumentFile(ctx, file, revision.bytes) });
  }
  await recordSigned(ctx, loaded, { attemptId: attempt.id, signerId: signer.id, facts, fingerprint: key.fingerprint, signed });
}

async function signOne(
  ctx: Ctx,
  file: DocumentFile,
  index: number,
  signer: Signer,
  facts: SignerFacts,
  fills: readonly FieldFill[],
): Promise<Revision> {
  return signPdf(await openPdf(file.source), signer, {
    field: fieldNames(file.documentId).signature(index),
    name: facts.name,
    signingTime: facts.at,
    appearance: stampAppearance(facts),
    fills,
    ...(ctx.timestamps ? { signatureTimestamp: ctx.timestamps } : {}),
  });
}

/** The signer's other boxes, and the evidence block where the document got signature pages. */
function fillsOf(
  ctx: Ctx,
  loaded: LoadedProcess,
  file: DocumentFile,
  index: number,
  facts: SignerFacts,
  boxes: readonly { field_name: string | null }[],
): FieldFill[] {
  const stamp = stampAppearance(facts);
  const fills: FieldFill[] = boxes.map((box) => ({ field: box.field_name ?? '', value: stamp.text, appearance: stamp }));
  const document = loaded.documents.find(({ id }) => id === file.documentId);
  if (document && document.prior_signatures === 0) {
    const block = evidenceAppearance(facts, loaded.row.lang_key, ctx.translate);
    fills.push({ field: fieldNames(file.documentId).evidence(index), value: block.text, appearance: block });
  }
  return fills;
}

interface SignedAct {
  attemptId: string;
  signerId: string;
  facts: SignerFacts;
  fingerprint: string;
  signed: readonly SignedDocument[];
}

async function recordSigned(ctx: Ctx, loaded: LoadedProcess, act: SignedAct): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockSignatureProcess(tx, loaded.row.id);
    const now = await loadProcess(tx, loaded.row.id);
    // The process may have been cancelled or rejected while we signed: then nothing of it counts.
    assertMayAct(now.state, act.signerId, tx.clock.now());
    await closeSigner(tx, act.signerId, 'SIGNED', null);
    for (const { file, blob, fileHash } of act.signed) {
      await appendRevision(tx, {
        documentId: file.documentId,
        seq: file.nextSeq,
        kind: 'signature',
        signerId: act.signerId,
        blobHash: blob.sha256,
        size: blob.size,
        offset: file.size,
        fileHash,
      });
    }
    await setFingerprint(tx, act.attemptId, act.fingerprint);
    await closeAttempt(tx, act.attemptId, 'signed', null);
    await recordEvent(tx, {
      signatureProcessId: loaded.row.id,
      type: 'signer.signed',
      signerId: act.signerId,
      data: {
        name: act.facts.name,
        ip: act.facts.ip,
        certificate: act.fingerprint,
        documents: act.signed.map(({ file, fileHash }) => ({ id: file.documentId, name: file.name, sha256: fileHash })),
      },
    });
    const after = await loadProcess(tx, loaded.row.id);
    if (currentOrder(after.state.signers) === null) await sendFinalization(tx, loaded.row.id);
    else await inviteNextSigners(tx, loaded.row.id);
  });
}
