import { LAVRA_SIGNER, requestLocalCertificate } from '@lavra/api';
import { callApi } from '../../../lib/api-client.ts';
import type { DigitalRequest } from './appearance.ts';
import { giveUp } from './authorization.ts';
import { askToSign, closeSession, findLocalSigner, LocalSignerError, openSession, waitFor } from './local-signer-client.ts';
import { completeWith, prepareFor } from './local-signature.ts';

export type LocalStep = 'looking' | 'choosing' | 'preparing' | 'confirming' | 'sending';

/**
 * Signs with LAVRA_SIGNER: two one-time requests of our server, between which the chosen certificate is judged.
 * When `signal` aborts, or anything fails, its window is closed and the attempt given up.
 * @throws LocalSignerError, ApiError, or the signal's reason
 */
export async function signLocally(request: DigitalRequest, onStep: (step: LocalStep) => void, signal: AbortSignal): Promise<void> {
  const { processId, signerId } = request;
  let session: string | null = null;
  let prepared = false;
  try {
    onStep('looking');
    const base = await findLocalSigner(signal);
    const first = await callApi(requestLocalCertificate, { body: { processId, signerId }, signal });
    session = await openSession(base, first.request, signal);
    onStep('choosing');
    const { certificate, chain } = await waitFor(session, 'certificate', signal);
    onStep('preparing');
    const toSign = await prepareFor({ source: LAVRA_SIGNER, certificate, chain }, request);
    prepared = true;
    signal.throwIfAborted();
    if (toSign.request === null) throw new LocalSignerError('REQUEST_INVALID');
    await askToSign(session, toSign.request, signal);
    onStep('confirming');
    const { signatures } = await waitFor(session, 'signed', signal);
    onStep('sending');
    await completeWith(request, toSign.attemptId, signatures);
  } catch (error) {
    if (session) closeSession(session);
    if (prepared) await giveUp(request).catch(() => {});
    throw error;
  }
}
