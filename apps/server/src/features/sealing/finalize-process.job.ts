import { currentOrder, DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { defineJob, type JobEnd } from '../../jobs/queue.ts';
import { BlobFault } from '../../storage/blob-store.ts';
import { assertClock, isClockFault } from '../clock/clock-watch.ts';
import { openDocumentFile } from '../documents/document-file.ts';
import { type Finding, judgeFinished, judgeSigned } from './judge-finished.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { countStuck, noteProblem, tellProblem } from '../processes/life/process-problem.ts';
import { finalizeProcess, listUnsealedProcesses, sendFinalization } from '../processes/hand-over.ts';
import { recordFinished } from './record-finished.ts';
import { sealDocuments } from './seal-documents.ts';
import { loadToSeal, type ToSeal } from './sealing.store.ts';
import { makeSeparatePages } from './separate-pages.ts';

/**
 * The last act: the platform seals every document, verifies what it made like an outsider, writes the sealed evidence report
 * and only then records all of it, in one short transaction that asks nobody. A timestamp authority
 * that does not answer, or whose revocation data cannot be had, makes the job try again and shows its reason to the owner:
 * never a local clock, never a lesser level in silence (docs/decisions/008); nor is a file announced that does not verify
 * (docs/decisions/018). It is never given up: after a job's last try `resumeFinalizationJob` sends another.
 */
export const finalizeProcessJob = defineJob<{ signatureProcessId: string }>({
  ...finalizeProcess,
  retryLimit: 5,
  inTurns: true,
  expireInSeconds: 3600,
  async run(ctx, { signatureProcessId }, end) {
    const found = await loadToSeal(ctx, signatureProcessId);
    const { signatureProcess: loaded, seen } = found.read;
    if (loaded.status !== 'IN_PROGRESS' || currentOrder(loaded.signers) !== null) return;
    try {
      await assertClock(ctx, seen);
      await finalize(ctx, found, end);
    } catch (error) {
      // Waits for the clock, however long, without using up its tries: the sweep sends it again.
      if (isClockFault(error)) return noteProblem(ctx, signatureProcessId, 'server.clockBehind');
      // Another try would cost the same, and cost everybody.
      if (isTooComplex(error)) return leaveAlone(ctx, loaded, error.params);
      // A damaged file is told to the owner as what it is, by who found it.
      if (!(error instanceof BlobFault)) await noteProblem(ctx, signatureProcessId, 'process.finalizationDelayed');
      throw error;
    }
  },
});

async function finalize(ctx: Ctx, found: ToSeal, end: JobEnd | undefined): Promise<void> {
  const { read } = found;
  const { signatureProcess: loaded } = read;
  // What failed before is looked at before anything is made again: timestamps are paid for by the piece.
  if (loaded.problem === 'process.verificationFailed') {
    const files = await Promise.all(loaded.documents.map((document) => openDocumentFile(ctx, document)));
    const known = await judgeSigned(ctx, loaded, files);
    if (known) return keepBack(ctx, loaded, known);
  }
  const { level, documents } = await sealDocuments(ctx, loaded, found);
  const finding = await judgeFinished(ctx, loaded, level, documents);
  if (finding) return keepBack(ctx, loaded, finding);
  const apart = await makeSeparatePages(ctx, loaded, documents);
  if (apart.finding) return keepBack(ctx, loaded, apart.finding);
  await recordFinished(ctx, found, { level, documents, pages: apart.pages }, end);
}

/** Success is not announced: the owner is told, whoever runs the installation sees it in the log and in its health. */
async function keepBack(ctx: Ctx, loaded: LoadedProcess, { name, reasons }: Finding): Promise<void> {
  ctx.log.error({ reasons }, 'a finished document does not pass our own verification and is kept back');
  await tellProblem(ctx, loaded, 'process.verificationFailed', { name, reasons: reasons.join(', ') });
}

const isTooComplex = (error: unknown): error is DomainError => error instanceof DomainError && error.code === 'document.tooComplex';

/** Looked at again once an hour: a machine may have been too small. */
async function leaveAlone(ctx: Ctx, loaded: LoadedProcess, params: DomainError['params']): Promise<void> {
  ctx.log.error('a signed document exceeds the memory or time of a worker: it cannot be finished');
  await tellProblem(ctx, loaded, 'document.tooComplex', params);
}

/** How many finished processes are kept back because their files did not verify. */
export function countKeptBack(ctx: Ctx): Promise<number> {
  return countStuck(ctx, 'process.verificationFailed');
}

/** Long enough for the tries of the job that the last signature sent. */
const RESUME_AFTER_MS = 10 * 60_000;

/**
 * Sends the finalisation again where everyone has signed and the seal is missing: after an outage of the outside
 * world however long, and after a job that was lost. A job that still waits or runs is left alone.
 */
export const resumeFinalizationJob = defineJob<Record<string, never>>({
  name: 'resume-finalization',
  cron: '*/15 * * * *',
  async run(ctx) {
    const now = ctx.clock.now();
    // What does not verify is rarely cured by a quarter of an hour, and every try may buy timestamps: once an hour.
    const withKeptBack = now.getUTCMinutes() < 15;
    const unsealed = await listUnsealedProcesses(ctx, new Date(now.getTime() - RESUME_AFTER_MS), withKeptBack);
    for (const process of unsealed) await sendFinalization(ctx, process);
  },
});
