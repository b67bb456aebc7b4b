import { DomainError, limits, refusalToAct } from '@lavra/domain';
import type { FieldFill, Revision, Signer } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import { defineJob, type JobEnd } from '../../../jobs/queue.ts';
import { severalAtOnce } from '../../../jobs/several-at-once.ts';
import { createTurns } from '../../../jobs/turns.ts';
import { putFresh, readBytes, StorageError } from '../../../storage/blob-store.ts';
import { assertClock, isClockFault } from '../../clock/clock-watch.ts';
import { type DocumentFile, hashDocumentFile, openDocumentFile } from '../../documents/document-file.ts';
import { acting, signStoredPdf } from '../../documents/stored-pdf.ts';
import type { HeldLoaded } from '../../processes/load-process.ts';
import type { LoadedProcess } from '../../processes/signature-process.ts';
import { isAbout } from '../../../tracing/under-way.ts';
import { fieldNames } from '../../../paper/field-names.ts';
import { fieldFills, type SignerAppearances } from '../field-fills.ts';
import { recordSigned, type SignedDocument } from '../record-signed.ts';
import { signingFault } from '../signing-fault.ts';
import { type AttemptOnProcess, closeAttempt, findAttempt, findAttemptOnProcess, noteAttempt, type SigningAct } from '../signing.store.ts';
import { evidenceAppearance, type SignerFacts, stampAppearance } from './appearances.ts';
import { certifiedPerson, singleUseSigner } from './single-use-signer.ts';

/** Per installation: signers of one process are signed for in turn. */
const turns = new WeakMap<Ctx['config'], ReturnType<typeof createTurns>>();

/**
 * Signs all documents of a process for one signer: a single-use key, one revision each. Everything is made
 * first and recorded in one transaction, so that a crash leaves nothing half signed. What is sent again names the attempt alone.
 */
export const signElectronicJob = defineJob<{ attemptId: string; signatureProcessId?: string }, AttemptOnProcess>({
  name: 'sign-electronic',
  retryLimit: 4,
  exclusive: true,
  inTurns: true,
  expireInSeconds: 3600,
  async run(ctx, { attemptId, signatureProcessId }, end, handed) {
    const about = signatureProcessId ?? (await findAttempt(ctx, attemptId))?.signatureProcessId;
    if (about === undefined) return;
    isAbout(about);
    try {
      await inTurn(ctx, about, () => signOnNewestState(ctx, { attemptId, signatureProcessId: about, handed }, end));
    } catch (error) {
      // Waits for the clock, however long, without using up its tries: the sweep sends it again.
      if (isClockFault(error)) return noteAttempt(ctx, attemptId, 'server.clockBehind');
      const fault = signingFault(error);
      if (fault.permanent) {
        ctx.log.warn({ err: error, attempt: attemptId }, 'a signing attempt failed');
        await closeAttempt(ctx, attemptId, { state: 'failed', reason: fault.reason });
        return;
      }
      await noteAttempt(ctx, attemptId, fault.reason);
      throw error;
    }
  },
  async onGivenUp(ctx, { attemptId }) {
    // The last try that could say why has noted it.
    const attempt = await findAttempt(ctx, attemptId);
    await closeAttempt(ctx, attemptId, { state: 'failed', reason: attempt?.reason ?? 'server.unexpected' });
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
async function signOnNewestState(
  ctx: Ctx,
  { attemptId, signatureProcessId, handed }: { attemptId: string; signatureProcessId: string; handed: AttemptOnProcess | undefined },
  end: JobEnd | undefined,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const known = round === 0 ? handed : undefined;
    const found = known ?? (await findAttemptOnProcess(ctx, { id: attemptId, signatureProcessId }));
    if (found?.attempt.state !== 'signing') return;
    const { attempt, read } = found;
    const { signatureProcess: loaded, seen } = read;
    await assertClock(ctx, seen);
    const refusal = refusalToAct(loaded, attempt.signerId, ctx.clock.now());
    if (refusal) {
      await closeAttempt(ctx, attemptId, { state: 'failed', reason: refusal });
      return;
    }
    try {
      return await signAll(ctx, read, attempt, end);
    } catch (error) {
      const isOthers =
        error instanceof DomainError && !(error instanceof StorageError) && error.code !== 'server.busy' && !isClockFault(error);
      if (!isOthers || round > limits.signersPerProcessMax) throw error;
    }
  }
}

async function signAll(ctx: Ctx, read: HeldLoaded, attempt: SigningAct, end: JobEnd | undefined): Promise<void> {
  const { signatureProcess: loaded } = read;
  const index = loaded.signers.findIndex(({ id }) => id === attempt.signerId);
  const signer = loaded.signers[index];
  if (!attempt.imageHash || !signer) throw new Error('attempt without evidence');
  const key = await singleUseSigner(ctx, attempt.id, certifiedPerson(loaded, signer, attempt.name));
  const facts: SignerFacts = {
    ...attempt,
    email: signer.email,
    at: ctx.clock.now(),
    certificateSerial: key.serial,
    image: await readBytes(ctx.storage, attempt.imageHash),
  };
  const appearances = {
    stamp: stampAppearance(facts, loaded.langKey, ctx.translate),
    block: evidenceAppearance(facts, loaded.langKey, ctx.translate),
  };
  const signed = await severalAtOnce(loaded.documents, async (document): Promise<SignedDocument> => {
    const file = await openDocumentFile(ctx, document);
    const fills = await fieldFills(ctx, loaded, document.id, index, appearances);
    const revision = await signOne(ctx, loaded, file, index, key.signer, facts, appearances, fills);
    const blob = await putFresh(ctx.storage, revision.bytes);
    return { file, blob, fileHash: await hashDocumentFile(ctx, file, { bytes: revision.bytes, blobHash: blob.sha256 }) };
  });
  const act = {
    attemptId: attempt.id,
    signerId: signer.id,
    name: facts.name,
    signedAt: facts.at,
    ip: facts.ip,
    fingerprint: key.fingerprint,
  };
  await recordSigned(ctx, read, { ...act, signed }, end);
}

async function signOne(
  ctx: Ctx,
  loaded: LoadedProcess,
  file: DocumentFile,
  index: number,
  signer: Signer,
  facts: SignerFacts,
  { stamp, block }: SignerAppearances,
  fills: readonly FieldFill[],
): Promise<Revision> {
  const field = fieldNames(file.documentId).signature(index);
  // Where no page could be appended there is no block: the signature says it itself, and signs it.
  const isApart = loaded.documents.find(({ id }) => id === file.documentId)?.pageApart === true;
  const evidence = isApart ? { reason: block.text.replaceAll('\n', ' · ') } : {};
  const request = { field, name: facts.name, signingTime: facts.at, appearance: stamp, fills, ...evidence };
  return signStoredPdf(ctx, file, signer, request, ctx.timestamps, acting(loaded.ownerId));
}
