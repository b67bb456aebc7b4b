import { buildSignedData, verifySignatureValue } from '../cms/signed-data.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import type { Revision } from '../source.ts';
import { requestTimestamp } from '../timestamp/timestamp.ts';
import type { TimestampSource } from '../timestamp/timestamp.ts';
import { fromBase64 } from '../base64.ts';
import { fillHole } from './hole.ts';
import type { PreparedSignature, UnsignedRevision } from './request.ts';

/** What the second step may take beside the signature value. */
export interface CompletionOptions {
  /** Asked for a timestamp over the signature value (level B-T): it proves the signature after the certificate ends. */
  readonly signatureTimestamp?: TimestampSource;
  readonly crypto?: Crypto;
}

/**
 * Step two: checks the value against the certificate, builds the CMS and fills the hole.
 * `signatureValue`: PKCS #1 v1.5 bytes, ECDSA as DER (not r‖s), or the 64 bytes of Ed25519.
 * Throws SIGNATURE_MISMATCH, RESERVE_TOO_SMALL (with `needed`: prepare again with that `reserve`, the hole's place is
 * signed and cannot grow afterwards), INVALID_PLAN (the policy demands a timestamp and there is no source for one),
 * TIMESTAMP_UNAVAILABLE, TIMESTAMP_REFUSED, TIMESTAMP_INVALID.
 */
export async function completeSignature(
  prepared: PreparedSignature,
  signatureValue: Uint8Array,
  options: CompletionOptions = {},
): Promise<Revision> {
  const { offset, byteRange, digest, needsTimestamp = false } = prepared;
  const unsigned: UnsignedRevision = {
    revision: { offset, bytes: fromBase64(prepared.revision) },
    byteRange,
    digest,
    signedAttributes: fromBase64(prepared.signedAttributes),
    needsTimestamp,
    certificate: fromBase64(prepared.certificate),
    chain: prepared.chain.map(fromBase64),
  };
  return fillUnsigned(unsigned, signatureValue, options);
}

/** Step two over what `writeUnsigned` has made. Throws as `completeSignature`. */
export async function fillUnsigned(unsigned: UnsignedRevision, signatureValue: Uint8Array, options: CompletionOptions): Promise<Revision> {
  const crypto = options.crypto ?? platformCrypto;
  const { revision, digest, certificate, signedAttributes, chain } = unsigned;
  const { signatureTimestamp: source } = options;
  if (unsigned.needsTimestamp && !source) throw new PadesError('INVALID_PLAN', 'the policy demands a signature timestamp');
  const matches = await verifySignatureValue({
    certificate,
    data: signedAttributes,
    signatureValue,
    digest,
  });
  if (!matches) throw new PadesError('SIGNATURE_MISMATCH');
  const token =
    source && (await requestTimestamp(source, await digestOf(crypto, digest, signatureValue), digest, (length) => crypto.random(length)));
  const der = buildSignedData({
    signedAttributes,
    signatureValue,
    certificate,
    chain,
    digest,
    ...(token ? { signatureTimestamp: token } : {}),
  });
  const { offset, bytes } = revision;
  return { offset, bytes: fillHole(bytes, offset, unsigned.byteRange, der) };
}
