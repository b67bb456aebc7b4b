import type { DigestName } from '../crypto.ts';
import type { Pdf } from '../pdf/pdf.ts';
import type { Revision } from '../source.ts';
import { fromBase64 } from './base64.ts';
import { completeSignature } from './complete-signature.ts';
import type { CompletionOptions } from './complete-signature.ts';
import { prepareSignature } from './prepare-signature.ts';
import type { SignatureRequest } from './request.ts';

/** A key at hand. */
export interface Signer {
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER, nearest issuer first. */
  readonly chain: readonly Uint8Array[];
  /** Signs `data` (the signed attributes), hashing it with `digest`: PKCS #1 v1.5, or ECDSA as DER. */
  sign(data: Uint8Array, digest: DigestName): Promise<Uint8Array>;
}

/** Both steps in one, when the key is at hand. */
export async function signPdf(
  pdf: Pdf,
  signer: Signer,
  options: Omit<SignatureRequest, 'certificate' | 'chain'> & CompletionOptions,
): Promise<Revision> {
  const { certificate, chain } = signer;
  const crypto = options.crypto ? { crypto: options.crypto } : {};
  const prepared = await prepareSignature(pdf, { ...options, certificate, chain }, crypto);
  const value = await signer.sign(fromBase64(prepared.signedAttributes), prepared.digest);
  return completeSignature(prepared, value, options);
}
