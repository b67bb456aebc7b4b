import { child, children, contentOf, derNull, encoded, octetString, oid, readDer, sequence, smallInteger, tlv } from '../asn1/der.ts';
import { digestOids } from '../asn1/oids.ts';
import { platformCrypto } from '../crypto.ts';
import type { Crypto, DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { checkToken } from './token.ts';

/** A timestamp authority: DER TimeStampReq in, DER TimeStampResp out (RFC 3161). Network is the caller's. */
export interface TimestampSource {
  timestamp(request: Uint8Array): Promise<Uint8Array>;
  /**
   * Whom its authority must be below, where that matters before the token is used (ICP-Brasil's policies): an anchor for
   * timestamps. Left out: that is the verifier's question.
   */
  readonly trust?: TrustStore;
  /**
   * How long its answers are, in bytes, where that is known: the next one gets room for as much and a little more. A measure and no
   * bound: where a longer one comes, room is made for it and another is asked for. Left out: room for a token with a long chain.
   */
  readonly tokenBytes?: number | undefined;
}

/**
 * Asks an authority for one timestamp, over random bytes, and checks the token as any other: for a start that wants to know
 * whether it can be worked with. A token may cost money. Throws TIMESTAMP_UNAVAILABLE, TIMESTAMP_REFUSED, TIMESTAMP_INVALID.
 */
export async function tryTimestamps(source: TimestampSource, crypto: Crypto = platformCrypto): Promise<void> {
  await requestTimestamp(source, crypto.random(32), 'sha256', (length) => crypto.random(length));
}

/**
 * Asks for a timestamp over `imprint` and checks the answer before it is used: granted, over this imprint, with this
 * nonce, signed by the certificate it carries, which is for timestamps only. Whether that certificate is *trusted* is
 * the verifier's question, unless the source names its anchors. Throws TIMESTAMP_UNAVAILABLE (the source failed), TIMESTAMP_REFUSED (with `status`) or TIMESTAMP_INVALID.
 */
export async function requestTimestamp(
  source: TimestampSource,
  imprint: Uint8Array,
  digest: DigestName,
  random: (length: number) => Uint8Array,
): Promise<Uint8Array> {
  // A leading 1 keeps the INTEGER positive and minimal.
  const nonce = Uint8Array.of(1, ...random(8));
  const algorithm = sequence(oid(digestOids[digest]), derNull);
  const request = sequence(smallInteger(1), sequence(algorithm, octetString(imprint)), tlv(0x02, nonce), tlv(0x01, Uint8Array.of(0xff)));
  const token = grantedToken(await ask(source, request));
  await checkToken(token, { imprint, digest, nonce, trust: source.trust ?? null });
  return token;
}

async function ask(source: TimestampSource, request: Uint8Array): Promise<Uint8Array> {
  try {
    return await source.timestamp(request);
  } catch (error) {
    throw new PadesError('TIMESTAMP_UNAVAILABLE', 'the authority did not answer', {}, error);
  }
}

/** The token of a response whose status is granted (0) or granted with modifications (1). */
function grantedToken(response: Uint8Array): Uint8Array {
  let status = -1;
  let token: Uint8Array | null = null;
  try {
    const parts = children(readDer(response));
    const first = parts[0];
    if (first !== undefined) status = contentOf(child(first, 0, 0x02))[0] ?? -1;
    if (parts[1] !== undefined) token = encoded(parts[1]);
  } catch (error) {
    throw new PadesError('TIMESTAMP_INVALID', 'the answer is not a timestamp response', {}, error);
  }
  if (status > 1 || status < 0 || token === null) {
    throw new PadesError('TIMESTAMP_REFUSED', `status ${status}`, { status });
  }
  return token;
}
