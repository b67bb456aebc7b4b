import { certificateParts } from '../cms/certificate-parts.ts';
import { child, children, contentOf, encoded, isOid, readDer, sameBytes } from '../cms/der.ts';
import type { DerNode } from '../cms/der.ts';
import { digestOids, oids } from '../cms/oids.ts';
import { verifySignatureValue } from '../cms/verify-value.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import type { DigestName } from '../crypto.ts';
import { PadesError } from '../errors.ts';

export interface ExpectedToken {
  readonly imprint: Uint8Array;
  readonly digest: DigestName;
  readonly nonce: Uint8Array;
}

/** Checks a TimeStampToken as RFC 3161 §2.4.2 asks of a client. Throws TIMESTAMP_INVALID with the reason. */
export async function checkToken(token: Uint8Array, expected: ExpectedToken): Promise<void> {
  try {
    const signedData = child(child(readDer(token), 1, 0xa0), 0, 0x30);
    const content = timestampInfo(signedData);
    checkInfo(readDer(content), expected);
    await checkSigner(signedData, content);
  } catch (error) {
    if (error instanceof PadesError && error.code === 'TIMESTAMP_INVALID') throw error;
    throw new PadesError('TIMESTAMP_INVALID', 'the token cannot be read', {}, error);
  }
}

function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new PadesError('TIMESTAMP_INVALID', what);
}

function timestampInfo(signedData: DerNode): Uint8Array {
  const encapsulated = child(signedData, 2, 0x30);
  demand(isOid(children(encapsulated)[0], oids.timestampInfo), 'not a timestamp token');
  return contentOf(child(child(encapsulated, 1, 0xa0), 0, 0x04));
}

function checkInfo(info: DerNode, expected: ExpectedToken): void {
  const fields = children(info);
  const imprint = child(info, 2, 0x30);
  const algorithm = child(child(imprint, 0, 0x30), 0);
  demand(isOid(algorithm, digestOids[expected.digest]), 'over another kind of digest');
  demand(sameBytes(contentOf(child(imprint, 1, 0x04)), expected.imprint), 'over another imprint');
  // version, policy, imprint and serial come first: the nonce is the only INTEGER after them.
  const nonce = fields.slice(4).find(({ tag }) => tag === 0x02);
  demand(nonce !== undefined && sameBytes(contentOf(nonce), expected.nonce), 'another nonce');
}

async function checkSigner(signedData: DerNode, content: Uint8Array): Promise<void> {
  const fields = children(signedData);
  const infos = fields.at(-1);
  demand(infos?.tag === 0x31 && children(infos).length === 1, 'not exactly one signer');
  const [, id, digestAlgorithm, attributes, algorithm, value] = children(child(infos, 0, 0x30));
  demand(attributes?.tag === 0xa0 && value?.tag === 0x04 && !!id && !!algorithm, 'no signed attributes');
  const digest = digestNamed(digestAlgorithm && child(digestAlgorithm, 0));
  const stated = attributeValue(attributes, oids.messageDigest);
  const actual = await digestOf(platformCrypto, digest, content);
  demand(sameBytes(contentOf(stated), actual), 'the content does not match its digest');
  const certificates = fields.find(({ tag }) => tag === 0xa0);
  const certificate = certificates && findSigner(certificates, id);
  demand(!!certificate, "the authority's certificate is missing");
  demand(certificateParts(certificate).onlyForTimestamps, 'the certificate is not for timestamps only');
  const data = encoded(attributes);
  data[0] = 0x31;
  const matches = await verifySignatureValue({
    certificate,
    data,
    signatureValue: contentOf(value),
    digest,
    pss: isOid(children(algorithm)[0], oids.rsaPss),
  });
  demand(matches, "the token's signature is wrong");
}

function digestNamed(node: DerNode | undefined): DigestName {
  for (const name of ['sha256', 'sha384', 'sha512'] as const) {
    if (isOid(node, digestOids[name])) return name;
  }
  throw new PadesError('TIMESTAMP_INVALID', 'an outdated digest');
}

function attributeValue(attributes: DerNode, type: string): DerNode {
  const found = children(attributes).find((item) => isOid(children(item)[0], type));
  demand(found !== undefined, 'an attribute is missing');
  return child(child(found, 1, 0x31), 0);
}

/** By issuer and serial number, or by subject key identifier (then there is one certificate to match it, or the first). */
function findSigner(certificates: DerNode, id: DerNode): Uint8Array | null {
  const list = children(certificates)
    .filter(({ tag }) => tag === 0x30)
    .map(encoded);
  if (id.tag !== 0x30) {
    return list.find((der) => certificateParts(der).onlyForTimestamps) ?? null;
  }
  const wanted = contentOf(id);
  const matches = (der: Uint8Array): boolean => {
    const { issuer, serial } = certificateParts(der);
    return sameBytes(Uint8Array.of(...issuer, ...serial), wanted);
  };
  return list.find(matches) ?? null;
}
