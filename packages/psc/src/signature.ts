import { listOf, readSuccess, textIn } from './answers.ts';
import type { Fields } from './answers.ts';
import type { ConfiguredPsc } from './configure.ts';
import { endpoint, pscOf } from './context.ts';
import type { PscContext } from './context.ts';
import { encodeHash, fromAnyBase64, readSignatureValue } from './encodings.ts';
import { failure, send } from './network.ts';
import type { Call } from './network.ts';
import type { SignatureFormat } from './providers.ts';
import { assertAuthorized } from './token.ts';
import type { PscAuthorization } from './token.ts';

const algorithms = {
  sha256: { oid: '2.16.840.1.101.3.4.2.1', bytes: 32 },
  sha512: { oid: '2.16.840.1.101.3.4.2.3', bytes: 64 },
} as const;

export interface HashToSign {
  /** The caller's; comes back with the signature. Unique in one call. */
  readonly id: string;
  /** What the person reads on their telephone: the document's name. */
  readonly label: string;
  readonly hash: Uint8Array;
  readonly algorithm: keyof typeof algorithms;
}

export interface SignatureRequest {
  readonly certificateAlias?: string | null;
  readonly hashes: readonly HashToSign[];
  /** Default RAW; CMS cannot give an AD-RB, whose attributes are ours to choose. */
  readonly format?: SignatureFormat;
}

export interface HashSignature {
  readonly id: string;
  /** RAW: PKCS #1 v1.5 bytes or ECDSA as DER, not yet checked against a certificate. CMS: the whole of it. */
  readonly value: Uint8Array;
}

/**
 * POST /signature, in the order of the hashes. With `signature_session` as many requests as the provider's maximum makes
 * necessary; otherwise one, and PSC_TOO_MANY_HASHES when they do not fit. All or nothing: a session that fails midway answers no
 * value, and what was signed by then enters no file. The values are only decoded here: `completeSignature`
 * of the engine checks them before they enter a file.
 */
export async function signHashes(
  context: PscContext,
  authorization: PscAuthorization,
  request: SignatureRequest,
): Promise<HashSignature[]> {
  const psc = pscOf(context, authorization.psc);
  const { hashes, format = 'RAW' } = request;
  const call: Call = {
    psc,
    call: 'signature',
    url: endpoint(psc, 'signature'),
    bearer: authorization.accessToken,
    deadlineMs: context.deadlines.callMs,
  };
  assertAuthorized(context, authorization, call);
  assertSignable(call, hashes);
  if (!psc.formats.includes(format)) throw failure(call, 'PSC_NOT_OFFERED', { format });
  const batchSize = batchSizeOf(call, psc, authorization, hashes.length);
  const signatures: HashSignature[] = [];
  for (let start = 0; start < hashes.length; start += batchSize) {
    const batch = hashes.slice(start, start + batchSize);
    signatures.push(...(await signBatch(context, call, psc, { ...request, format, hashes: batch })));
  }
  return signatures;
}

function assertSignable(call: Call, hashes: readonly HashToSign[]): void {
  const ids = new Set(hashes.map(({ id }) => id));
  const sized = hashes.every(({ hash, algorithm }) => hash.length === algorithms[algorithm].bytes);
  if (hashes.length === 0 || ids.size !== hashes.length || !sized) throw failure(call, 'PSC_INVALID_REQUEST', { hashes: hashes.length });
}

function batchSizeOf(call: Call, { maxHashes }: ConfiguredPsc, { scope }: PscAuthorization, hashes: number): number {
  const perRequest = maxHashes ?? hashes;
  const maximum = { single_signature: 1, multi_signature: perRequest, signature_session: Infinity, authentication_session: 0 }[scope];
  if (maximum === 0) throw failure(call, 'PSC_SCOPE_REFUSED', { scope });
  if (hashes > maximum) throw failure(call, 'PSC_TOO_MANY_HASHES', { maximum, hashes });
  return Math.min(perRequest, hashes);
}

async function signBatch(
  context: PscContext,
  call: Call,
  psc: ConfiguredPsc,
  { hashes, format, certificateAlias }: SignatureRequest & { format: SignatureFormat },
): Promise<HashSignature[]> {
  const json = {
    ...(certificateAlias ? { certificate_alias: certificateAlias } : {}),
    hashes: hashes.map(({ id, label, hash, algorithm }) => ({
      id,
      alias: label,
      hash: encodeHash(hash, psc.hashEncoding),
      hash_algorithm: algorithms[algorithm].oid,
      signature_format: format,
    })),
  };
  const asked = { ...call, json };
  const fields = readSuccess(asked, await send(context.outside, asked));
  const answered = listOf(fields['signatures'], 'raw_signature');
  if (answered.length !== hashes.length) {
    throw failure(call, 'PSC_WRONG_HASH_COUNT', { asked: hashes.length, answered: answered.length });
  }
  return hashes.map(({ id }, index) => ({ id, value: valueOf(call, answerTo(call, id, index, answered), format) }));
}

/** By id. A provider that leaves the ids out keeps the order; the engine's check against the certificate would show if not. */
function answerTo(call: Call, id: string, index: number, answered: readonly Fields[]): Fields {
  const named = answered.filter((one) => textIn(one, 'id') === id);
  const nameless = answered.every((one) => textIn(one, 'id') === null);
  const found = nameless ? answered[index] : named[0];
  if (found === undefined || named.length > 1) throw failure(call, 'PSC_WRONG_HASH_COUNT', { named: named.length });
  return found;
}

function valueOf(call: Call, answer: Fields, format: SignatureFormat): Uint8Array {
  const written = textIn(answer, 'raw_signature', 'signature');
  if (written === null) throw failure(call, 'PSC_BAD_ANSWER');
  const bare = written.replaceAll(/-----(BEGIN|END)[^-]*-----/g, '');
  const value = format === 'RAW' ? readSignatureValue(written) : fromAnyBase64(bare);
  if (value === null) throw failure(call, 'PSC_BAD_SIGNATURE');
  return value;
}
