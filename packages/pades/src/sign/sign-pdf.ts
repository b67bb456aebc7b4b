import { platformCrypto } from '../crypto.ts';
import type { DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import type { Pdf } from '../pdf/pdf.ts';
import type { Revision } from '../source.ts';
import { fillUnsigned } from './complete-signature.ts';
import type { CompletionOptions } from './complete-signature.ts';
import { writeUnsigned } from './prepare-signature.ts';
import type { SignatureRequest } from './request.ts';

/** A key at hand. */
export interface Signer {
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER, nearest issuer first. */
  readonly chain: readonly Uint8Array[];
  /** Signs `data` (the signed attributes), hashing it with `digest`: PKCS #1 v1.5, ECDSA as DER, or Ed25519 (of `data` itself). */
  sign(data: Uint8Array, digest: DigestName): Promise<Uint8Array>;
}

/** What a second timestamp token may be longer than the first. */
const slack = 1024;

/**
 * Both steps in one, when the key is at hand. A signature that turns out larger than its room is made once more with
 * the room it needs: nothing is ever cut. Throws what the two steps throw.
 */
export async function signPdf(
  pdf: Pdf,
  signer: Signer,
  options: Omit<SignatureRequest, 'certificate' | 'chain'> & CompletionOptions,
): Promise<Revision> {
  const { certificate, chain } = signer;
  const crypto = options.crypto ?? platformCrypto;
  const timestamped = options.signatureTimestamp !== undefined;
  const timestampBytes = options.signatureTimestamp?.tokenBytes;
  const attempt = async (reserve: { reserve?: number }): Promise<Revision> => {
    const unsigned = await writeUnsigned(pdf, { timestamped, timestampBytes, ...options, ...reserve, certificate, chain }, crypto);
    return fillUnsigned(unsigned, await signer.sign(unsigned.signedAttributes, unsigned.digest), options);
  };
  try {
    return await attempt({});
  } catch (error) {
    const needed = error instanceof PadesError && error.code === 'RESERVE_TOO_SMALL' ? Number(error.details['needed']) : 0;
    if (needed === 0) throw error;
    return attempt({ reserve: needed + slack });
  }
}
