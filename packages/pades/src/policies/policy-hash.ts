import { child, children, contentOf, encoded, isOid, readDer, sameBytes } from '../asn1/der.ts';
import { digestOids } from '../asn1/oids.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import type { Crypto, DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';

/** The hash by which signatures refer to a policy. */
export interface PolicyHash {
  readonly digest: DigestName;
  readonly hash: Uint8Array;
}

/**
 * signPolicyHash of a policy in DER (TR 102 272 §6.1): the digest over the complete encodings of signPolicyHashAlg and
 * signPolicyInfo, one after the other. It is computed and must be the one the file states, when it states one. Not the
 * hash of the file: that is what verifiers reject most often. Throws POLICY_INVALID.
 */
export async function readPolicyHash(der: Uint8Array, crypto: Crypto = platformCrypto): Promise<PolicyHash> {
  try {
    const [algorithm, info, stated] = children(readDer(der));
    if (algorithm?.tag !== 0x30 || info?.tag !== 0x30) throw new PadesError('POLICY_INVALID', 'not a signature policy');
    const id = child(algorithm, 0, 0x06);
    const digest = (['sha256', 'sha384', 'sha512'] as const).find((name) => isOid(id, digestOids[name]));
    if (digest === undefined) throw new PadesError('POLICY_INVALID', 'an unknown digest');
    const hash = await digestOf(crypto, digest, Uint8Array.of(...encoded(algorithm), ...encoded(info)));
    if (stated !== undefined && !sameBytes(contentOf(stated), hash)) throw new PadesError('POLICY_INVALID', 'the stated hash is another');
    return { digest, hash };
  } catch (error) {
    if (error instanceof PadesError && error.code === 'POLICY_INVALID') throw error;
    throw new PadesError('POLICY_INVALID', 'cannot be read', {}, error);
  }
}
