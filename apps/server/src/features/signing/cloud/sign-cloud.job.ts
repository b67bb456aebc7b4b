import { DomainError, storedErrorCode } from '@lavra/domain';
import type { HashToSign } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { assertClock, isClockFault } from '../../clock/clock-watch.ts';
import { completeAttempt, keepSignatureValues } from '../digital/complete-attempt.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { type PreparedDocument, prepareAttempt } from '../digital/prepare-attempt.ts';
import { type Attempt, findAttempt, findEvidence, noteAttempt } from '../signing.store.ts';
import { loadProcess } from '../../processes/load-process.ts';
import { chooseCertificate } from './choose-certificate.ts';
import { cloudFault } from './cloud-fault.ts';
import { openAuthorization } from './cloud-secret.ts';
import { hasValues } from './cloud.store.ts';

/** Until the documents are asked for again that another signer holds. */
const BUSY_WAIT_MS = 3_000;

/**
 * Signs all documents of a process with a cloud certificate: its certificate is judged, the documents are prepared and written
 * down, the provider signs their hashes, the values are written down, and then everything is recorded at once. A run that follows
 * a crash goes on where the last one wrote something down: with the values there, the provider is not asked again, and without
 * them its token tells whether it can be.
 */
export const signCloudJob = defineJob<{ attemptId: string; wait: number }>({
  name: 'sign-cloud',
  retryLimit: 4,
  exclusive: true,
  async run(ctx, { attemptId, wait }, end) {
    const attempt = await findAttempt(ctx, attemptId);
    if (attempt?.state !== 'signing' || attempt.kind !== 'cloud') return;
    try {
      await assertClock(ctx);
      if (!(await hasValues(ctx, attemptId))) await askForValues(ctx, attempt);
      await completeAttempt(ctx, attemptId, end);
    } catch (error) {
      await endRun(ctx, attempt, wait, error);
    }
  },
  async onGivenUp(ctx, { attemptId }) {
    // The last try that could say why has noted it.
    const attempt = await findAttempt(ctx, attemptId);
    await failAttempt(ctx, attemptId, storedErrorCode(attempt?.reason));
  },
});

async function askForValues(ctx: Ctx, attempt: Attempt): Promise<void> {
  const authorization = openAuthorization(ctx, attempt.secret);
  // We died between the code and its token: nobody can use that code again.
  if (!authorization) throw new DomainError('signing.authorizationExpired');
  const evidence = await findEvidence(ctx, attempt.id);
  if (!evidence) throw new Error('attempt without evidence');
  const { signers } = await loadProcess(ctx, attempt.signatureProcessId);
  const who = { cpf: evidence.cpf, cnpj: signers.find(({ id }) => id === attempt.signerId)?.cnpj ?? null };
  const { alias, judged } = await chooseCertificate(ctx, await ctx.psc.discoverCertificates(authorization), who);
  const documents = await prepareAttempt(ctx, attempt.id, judged);
  const values = await ctx.psc.signHashes(authorization, { certificateAlias: alias, hashes: documents.map(hashToSign) });
  await keepSignatureValues(
    ctx,
    attempt.id,
    values.map(({ id, value }) => ({ documentId: id, value })),
  );
}

function hashToSign({ documentId, name, prepared }: PreparedDocument): HashToSign {
  const { digest } = prepared;
  // No provider is told of SHA-384 (DOC-ICP-17.01 names two algorithms).
  if (digest === 'sha384') throw new DomainError('certificate.unsuitable');
  return { id: documentId, label: name, hash: Buffer.from(prepared.toBeSigned, 'base64'), algorithm: digest };
}

async function endRun(ctx: Ctx, attempt: Attempt, wait: number, error: unknown): Promise<void> {
  // Waits for the clock, however long, without using up its tries: the sweep sends it again.
  if (isClockFault(error)) return noteAttempt(ctx, attempt.id, 'server.clockBehind');
  const { reason, params, passing } = cloudFault(error);
  // The queue took us for dead and ran us twice: the other run's values are as good as ours.
  if (reason === 'signing.authorizationExpired' && (await hasValues(ctx, attempt.id))) throw error;
  if (passing) {
    await noteAttempt(ctx, attempt.id, reason);
    throw error;
  }
  if (reason === 'signing.documentBusy' && (await waitForDocuments(ctx, attempt, wait + 1))) return;
  ctx.log.warn({ err: error, attempt: attempt.id }, 'a signing attempt failed');
  await failAttempt(ctx, attempt.id, reason, params);
}

/** Asks again in a moment, under a number of its own; false when the token does not live that long. */
async function waitForDocuments(ctx: Ctx, attempt: Attempt, wait: number): Promise<boolean> {
  const authorization = openAuthorization(ctx, attempt.secret);
  if (!authorization || Date.parse(authorization.expiresAt) <= ctx.clock.now().getTime() + BUSY_WAIT_MS) return false;
  await noteAttempt(ctx, attempt.id, 'signing.documentBusy');
  await ctx.jobs.send(signCloudJob, { attemptId: attempt.id, wait }, { afterMs: BUSY_WAIT_MS, key: `${attempt.id}:${wait}` });
  return true;
}
