import { sameBytes } from '../asn1/der.ts';
import { platformCrypto } from '../crypto.ts';
import type { DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { anchorsFor } from '../trust/trust-store.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { checkTimestamp, readTimestampToken } from '../verify/check-timestamp.ts';
import type { TimestampToken } from '../verify/check-timestamp.ts';
import { VerdictBuilder } from '../verify/report.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { CertificatePool, findChain } from '../x509/chain.ts';

export interface ExpectedToken {
  readonly imprint: Uint8Array;
  readonly digest: DigestName;
  readonly nonce: Uint8Array;
  /** Null: by whomever. */
  readonly trust: TrustStore | null;
}

/**
 * Checks a TimeStampToken as RFC 3161 §2.4.2 asks of a client: it answers this request, and the verifier finds no fault
 * and no doubt in it. Throws TIMESTAMP_INVALID with the reason.
 */
export async function checkToken(bytes: Uint8Array, { imprint, digest, nonce, trust }: ExpectedToken): Promise<void> {
  const token = read(bytes);
  // It goes into a DER structure as it is.
  demand(token.cms.definiteLength && token.cms.isPadded, 'not DER');
  demand(token.hash === digest, 'over another kind of digest');
  demand(token.nonce !== null && sameBytes(token.nonce, nonce), 'another nonce');
  const out = new VerdictBuilder();
  const authority = await checkTimestamp(token, () => Promise.resolve(imprint), platformCrypto, out);
  demand(out.passed && authority !== null, out.verdict.reasons.join(', '));
  demand(trust === null || (await isBelow(authority, token, trust)), 'its authority is below none of the anchors');
}

/** Whether the authority was revoked is asked when the file is archived, and when it is verified. */
async function isBelow(authority: Certificate, { cms }: TimestampToken, trust: TrustStore): Promise<boolean> {
  const pool = new CertificatePool();
  pool.add(...cms.certificates, ...trust.intermediates.map(parseCertificate));
  const anchors = anchorsFor(trust, 'timestamp').map(({ certificate }) => certificate);
  const { anchor, problem } = await findChain(authority, pool, anchors);
  return anchor !== null && problem === null;
}

function read(bytes: Uint8Array): TimestampToken {
  try {
    return readTimestampToken(bytes);
  } catch (error) {
    throw new PadesError('TIMESTAMP_INVALID', 'the token cannot be read', {}, error);
  }
}

function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new PadesError('TIMESTAMP_INVALID', what);
}
