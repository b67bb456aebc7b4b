import { fromBase64, toBase64 } from '@lavra/pades';
import type { CertificateFile } from '@lavra/pades/p12';
import type { DigitalRequest } from './appearance.ts';
import { giveUp } from './authorization.ts';
import { completeWith, prepareFor } from './local-signature.ts';

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

/** Opens a .pfx or .p12 on this computer, in a worker that is gone afterwards. @throws CertificateFileError */
export async function openCertificates(file: File, password: string): Promise<OpenedCertificate[]> {
  const worker = new Worker(new URL('./certificate-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
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

/** Signs every document in this page: only certificates and signature values leave it. @throws ApiError, PadesError */
export async function signWithFile(file: CertificateFile, request: DigitalRequest, onSigning: () => void): Promise<void> {
  const { certificateFileSigner } = await import('@lavra/pades/p12');
  const signer = await certificateFileSigner(file);
  const prepared = await prepareFor({ source: 'file', certificate: toBase64(file.certificate), chain: file.chain.map(toBase64) }, request);
  onSigning();
  try {
    const signatures: { documentId: string; value: string }[] = [];
    for (const { documentId, signedAttributes, digest } of prepared.documents)
      signatures.push({ documentId, value: toBase64(await signer.sign(fromBase64(signedAttributes), digest)) });
    await completeWith(request, prepared.attemptId, signatures);
  } catch (error) {
    // Others wait for these documents.
    await giveUp(request).catch(() => {});
    throw error;
  }
}
