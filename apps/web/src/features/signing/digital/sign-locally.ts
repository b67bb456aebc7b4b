import { LAVRA_SIGNER, requestLocalCertificate } from '@lavra/api';
import { callApi } from '../../../lib/api-client.ts';
import type { DigitalRequest } from './appearance.ts';
import { giveUp } from './authorization.ts';
import { askForCertificate, askToSign, closeSession, LocalSignerError, waitFor } from './local-signer-client.ts';
import { type Comparison, meetLocalSigner } from './local-signer-meeting.ts';
import { completeWith, prepareFor } from './local-signature.ts';
import type { LocalStep } from './signing-state.ts';

interface Telling extends Comparison {
  /** `code`: what the program's window shows too. */
  onStep(step: LocalStep, code: string | null): void;
}

/**
 * Signs with LAVRA_SIGNER: once it is known to be this person's, two one-time requests of our server, between which the chosen certificate is
 * judged. When `signal` aborts, or anything fails, its window is closed and the attempt given up.
 * @throws LocalSignerError, ApiError, or the signal's reason
 */
export async function signLocally(request: DigitalRequest, { onStep, ...comparison }: Telling, signal: AbortSignal): Promise<void> {
  const { processId, signerId } = request;
  let session: string | null = null;
  let prepared = false;
  try {
    onStep('looking', null);
    const met = await meetLocalSigner(comparison, signal);
    const step = (name: LocalStep) => onStep(name, met.code);
    ({ session } = met);
    step('choosing');
    const first = await callApi(requestLocalCertificate, { body: { processId, signerId }, signal });
    await askForCertificate(session, first.request, signal);
    const { certificate, chain } = await waitFor(session, 'certificate', signal);
    step('preparing');
    const toSign = await prepareFor({ source: LAVRA_SIGNER, certificate, chain }, request);
    prepared = true;
    signal.throwIfAborted();
    if (toSign.request === null) throw new LocalSignerError('REQUEST_INVALID');
    await askToSign(session, toSign.request, signal);
    step('confirming');
    const { signatures } = await waitFor(session, 'signed', signal);
    step('sending');
    await completeWith(request, toSign.attemptId, signatures);
  } catch (error) {
    if (session) closeSession(session);
    if (prepared) await giveUp(request).catch(() => {});
    throw error;
  }
}
