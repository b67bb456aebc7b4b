import { inTime } from '../../../lib/lazy-pages.ts';
import { fromBase64, toBase64 } from '@lavra/pades';
import type { CertificateFile } from '@lavra/pades/p12';
import type { DigitalRequest } from './appearance.ts';
import { giveUp } from './authorization.ts';
import { completeWith, prepareFor } from './local-signature.ts';
import type { FileStep } from './signing-state.ts';

/** A certificate of the file, with what a person chooses it by. */
export interface OpenedCertificate {
  file: CertificateFile;
  name: string;
  /** ISO instant. */
  validTo: string;
}

export type OpenAnswer = { certificates: OpenedCertificate[] } | { code: string };

/** A file that did not open; `code` of the engine (P12_WRONG_PASSWORD …). */
export class CertificateFileError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Opens a .pfx or .p12 on this computer, in a worker that is gone afterwards, also when `signal` aborts.
 * @throws CertificateFileError, or the signal's reason
 */
export async function openCertificates(file: File, password: string, signal: AbortSignal): Promise<OpenedCertificate[]> {
  const worker = new Worker(new URL('./certificate-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.onmessage = ({ data }: MessageEvent<OpenAnswer>) =>
        'certificates' in data ? resolve(data.certificates) : reject(new CertificateFileError(data.code));
      worker.onerror = () => reject(new CertificateFileError('P12_DAMAGED'));
      worker.postMessage({ file, password });
    });
  } finally {
    worker.terminate();
  }
}

/** Overwrites the keys. */
export function forgetKeys(opened: readonly OpenedCertificate[]): void {
  for (const { file } of opened) file.privateKeyPkcs8.fill(0);
}

/**
 * Signs every document in this page: only certificates and signature values leave it. When `signal` aborts before they do, or
 * anything fails, the attempt is given up.
 * @throws ApiError, PadesError, or the signal's reason
 */
export async function signWithFile(
  file: CertificateFile,
  request: DigitalRequest,
  onStep: (step: FileStep) => void,
  signal: AbortSignal,
): Promise<void> {
  const { certificateFileSigner } = await inTime(import('@lavra/pades/p12'));
  const signer = await certificateFileSigner(file);
  signal.throwIfAborted();
  const prepared = await prepareFor({ source: 'file', certificate: toBase64(file.certificate), chain: file.chain.map(toBase64) }, request);
  try {
    signal.throwIfAborted();
    onStep('signing');
    const signatures: { documentId: string; value: string }[] = [];
    for (const { documentId, signedAttributes, digest } of prepared.documents)
      signatures.push({ documentId, value: toBase64(await signer.sign(fromBase64(signedAttributes), digest)) });
    signal.throwIfAborted();
    onStep('sending');
    await completeWith(request, prepared.attemptId, signatures);
  } catch (error) {
    // Others wait for these documents.
    await giveUp(request).catch(() => {});
    throw error;
  }
}
