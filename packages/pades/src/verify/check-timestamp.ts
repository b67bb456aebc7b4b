import { child, children, contentOf, readDer, sameBytes } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import { digestOf } from '../crypto.ts';
import type { Crypto, HashName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { hashNamed } from '../x509/algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';
import { dotted, timeOf } from '../asn1/values.ts';
import { checkCms } from './check-cms.ts';
import type { VerdictBuilder } from './report.ts';
import { parseSignedData } from '../cms/read-signed-data.ts';
import type { SignedData } from '../cms/read-signed-data.ts';

/** A TimeStampToken with its TSTInfo (RFC 3161 §2.4.2), as it was found. Nothing of it is trusted yet. */
export interface TimestampToken {
  readonly cms: SignedData;
  /** Dotted. */
  readonly policy: string;
  readonly hash: HashName | null;
  readonly imprint: Uint8Array;
  readonly time: Date;
  /** Milliseconds to either side of it. */
  readonly accuracy: number;
  readonly nonce: Uint8Array | null;
}

/** Throws CMS_INVALID or TIMESTAMP_INVALID for what is no token. */
export function readTimestampToken(bytes: Uint8Array): TimestampToken {
  const cms = parseSignedData(bytes);
  const { content, contentType } = cms;
  if (content === null || contentType !== oids.timestampInfo) throw new PadesError('TIMESTAMP_INVALID', 'not a timestamp token');
  const [, policy, imprint, , time, ...rest] = children(readDer(content));
  if (imprint === undefined) throw new PadesError('TIMESTAMP_INVALID', 'no imprint');
  // Version, policy, imprint, serial and time come first: the nonce is the only INTEGER after them.
  const nonce = rest.find(({ tag }) => tag === 0x02);
  return {
    cms,
    policy: dotted(policy),
    hash: hashNamed(child(imprint, 0, 0x30)),
    imprint: contentOf(child(imprint, 1, 0x04)),
    time: timeOf(time),
    accuracy: accuracyOf(rest.find(({ tag }) => tag === 0x30)),
    nonce: nonce === undefined ? null : contentOf(nonce),
  };
}

/** An authority that states none is taken to be exact to the second (EN 319 421 §7.7.2). */
function accuracyOf(stated: DerNode | undefined): number {
  if (stated === undefined) return 1000;
  const parts: Record<number, number> = { 0x02: 1000, 0x80: 1, 0x81: 0.001 };
  return children(stated).reduce(
    (sum, part) => sum + (parts[part.tag] ?? 0) * contentOf(part).reduce((value, byte) => value * 256 + byte, 0),
    0,
  );
}

/**
 * Everything that a token itself can be right or wrong about, its authority's chain aside (RFC 3161 §2.3, §2.4.2): the
 * imprint, the signature, the purpose and the validity of the certificate. One judge for both sides: what a client checks
 * before it embeds a token is what a verifier will ask. Answers the authority's certificate when it was found.
 */
export async function checkTimestamp(
  { cms, hash, imprint, time }: TimestampToken,
  digest: (hash: HashName) => Promise<Uint8Array>,
  crypto: Crypto,
  out: VerdictBuilder,
): Promise<Certificate | null> {
  const actual = hash === null ? null : await digest(hash);
  if (actual === null) out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNSUPPORTED');
  else if (!sameBytes(actual, imprint)) out.fail('HASH_FAILURE', 'TIMESTAMP_IMPRINT_MISMATCH');
  // Two files of one SHA-1 are made for some thousand dollars: the token may be the other one's.
  else if (hash === 'sha1') out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_WEAK');
  const content = cms.content ?? new Uint8Array();
  const expected = {
    digest: (name: HashName) => digestOf(crypto, name, content),
    contentType: oids.timestampInfo,
    protectsCertificate: true,
  };
  const certificate = await checkCms(cms, expected, crypto, out);
  if (certificate === null) return null;
  if (!isForTimestamps(certificate)) out.doubt('CHAIN_CONSTRAINTS_FAILURE', 'TIMESTAMP_PURPOSE');
  // The token must have been made while its authority was good, whatever proves its existence later.
  if (time < certificate.notBefore || time > certificate.notAfter) out.doubt('OUT_OF_BOUNDS_NO_POE', 'CERTIFICATE_EXPIRED');
  return certificate;
}

/** The purpose timeStamping, alone and critical (RFC 3161 §2.3). */
function isForTimestamps({ purposes, purposesCritical }: Certificate): boolean {
  return purposesCritical && purposes?.length === 1 && purposes[0] === oids.timeStamping;
}
