import { child, children, contentOf, encoded, readDer, sameBytes } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { digestOf } from '../crypto.ts';
import type { Crypto, HashName } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { hashNamed, signatureAlgorithm } from '../x509/algorithms.ts';
import { parseCertificate, readExtensions } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { isIssuedBy } from '../x509/chain.ts';
import { sameName } from '../x509/name-match.ts';
import { bitsOf, timeOf } from '../asn1/values.ts';
import { hexText } from '../pdf/hex.ts';
import { verifySigned } from '../x509/verify-signed.ts';

/** A BasicOCSPResponse (RFC 6960 §4.2). */
export interface OcspResponse {
  readonly der: Uint8Array;
  readonly tbs: Uint8Array;
  readonly producedAt: Date;
  readonly answers: readonly OcspAnswer[];
  readonly signatureAlgorithm: Uint8Array;
  readonly signature: Uint8Array;
  readonly certificates: readonly Certificate[];
}

export interface OcspAnswer {
  readonly serial: string;
  readonly hashAlgorithm: DerNode;
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  readonly status: 'good' | 'revoked' | 'unknown';
  readonly revokedAt: Date | null;
  readonly reason: number | null;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | null;
  /** The responder still knows certificates that expired after this (RFC 6960 §4.4.4), or says it knows this one. */
  readonly keepsExpiredSince: Date | null;
}

const archiveCutoff = '1.3.6.1.5.5.7.48.1.6';
/** The issuer's own hash of the certificate (Common PKI): it is known, expired or not. */
const certHash = '1.3.36.8.3.13';
const basicResponse = '2b0601050507300101';

/** Takes an OCSPResponse (as a DSS holds it) or a BasicOCSPResponse (as a CMS does). Throws CERTIFICATE_INVALID. */
export function parseOcspResponse(der: Uint8Array): OcspResponse {
  try {
    const outer = readDer(der);
    const status = children(outer)[0];
    if (status?.tag !== 0x0a) return readBasic(der);
    if (contentOf(status)[0] !== 0) throw new PadesError('CERTIFICATE_INVALID', 'the responder had no answer');
    const bytes = child(child(outer, 1, 0xa0), 0, 0x30);
    if (hexText(contentOf(child(bytes, 0, 0x06))) !== basicResponse) throw new PadesError('CERTIFICATE_INVALID');
    return readBasic(contentOf(child(bytes, 1, 0x04)));
  } catch (error) {
    throw new PadesError('CERTIFICATE_INVALID', 'an OCSP response cannot be read', {}, error);
  }
}

function readBasic(der: Uint8Array): OcspResponse {
  const [tbs, algorithm, signature, certificates] = children(readDer(der));
  if (tbs === undefined || algorithm === undefined) throw new PadesError('CERTIFICATE_INVALID');
  const fields = children(tbs).filter(({ tag }) => tag !== 0xa0);
  const [, producedAt, answers] = fields;
  if (answers === undefined) throw new PadesError('CERTIFICATE_INVALID');
  // Read at once, as every answer's digest: a broken response is none, instead of an error in the middle of a verdict.
  signatureAlgorithm(encoded(algorithm));
  return {
    der,
    tbs: encoded(tbs),
    producedAt: timeOf(producedAt),
    answers: children(answers).map(readAnswer),
    signatureAlgorithm: encoded(algorithm),
    signature: bitsOf(signature),
    certificates: certificates === undefined ? [] : children(child(certificates, 0, 0x30)).map((one) => parseCertificate(encoded(one))),
  };
}

function readAnswer(node: DerNode): OcspAnswer {
  const [id, status, thisUpdate, ...rest] = children(node);
  if (id === undefined || status === undefined) throw new PadesError('CERTIFICATE_INVALID');
  const [hashAlgorithm, nameHash, keyHash, serial] = children(id);
  if (!hashAlgorithm || !nameHash || !keyHash || !serial) throw new PadesError('CERTIFICATE_INVALID');
  hashNamed(hashAlgorithm);
  const revoked = status.tag === 0xa1;
  const parts = revoked ? children(status) : [];
  const reason = parts[1] === undefined ? null : (contentOf(readDer(contentOf(parts[1])))[0] ?? null);
  const next = rest.find(({ tag }) => tag === 0xa0);
  return {
    serial: hexText(contentOf(serial)),
    hashAlgorithm,
    issuerNameHash: contentOf(nameHash),
    issuerKeyHash: contentOf(keyHash),
    status: revoked ? 'revoked' : status.tag === 0x80 ? 'good' : 'unknown',
    revokedAt: revoked ? timeOf(parts[0]) : null,
    reason,
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: next === undefined ? null : timeOf(child(next, 0)),
    keepsExpiredSince: expiredSince(rest.find(({ tag }) => tag === 0xa1)),
  };
}

function expiredSince(extensions: DerNode | undefined): Date | null {
  const found = readExtensions(extensions);
  const cutoff = found.get(archiveCutoff);
  if (cutoff !== undefined) return timeOf(readDer(cutoff.value));
  return found.has(certHash) ? new Date(0) : null;
}

/** An answer and who gave it: null for the issuer itself. */
export interface Answered {
  readonly answer: OcspAnswer;
  readonly responder: Certificate | null;
}

/** What the response says of this certificate, once its signature and responder hold; null when nothing. */
export async function answerFor(
  response: OcspResponse,
  certificate: Certificate,
  issuer: Certificate,
  crypto: Crypto,
): Promise<Answered | null> {
  for (const answer of response.answers) {
    if (answer.serial !== certificate.serial) continue;
    const hash = hashNamed(answer.hashAlgorithm);
    if (hash === null) continue;
    const keyHash = await digestOf(crypto, hash, keyBitsOf(issuer));
    if (
      !sameBytes(keyHash, answer.issuerKeyHash) ||
      !(await isHashOf(answer.issuerNameHash, [certificate.issuer, issuer.subject], hash, crypto))
    )
      continue;
    const responder = await responderOf(response, issuer);
    return responder === undefined ? null : { answer, responder };
  }
  return null;
}

/** One name may be encoded in two ways, in the certificate and in its issuer's own (RFC 6960 §4.1.1 hashes the former). */
async function isHashOf(stated: Uint8Array, names: readonly Uint8Array[], hash: HashName, crypto: Crypto): Promise<boolean> {
  for (const name of names) if (sameBytes(await digestOf(crypto, hash, name), stated)) return true;
  return false;
}

function keyBitsOf(issuer: Certificate): Uint8Array {
  return bitsOf(child(readDer(issuer.publicKey), 1));
}

const ocspSigning = '1.3.6.1.5.5.7.3.9';

/** The issuer itself (null), or one it has delegated and that was valid then (§4.2.2.2); undefined for anybody else. */
async function responderOf(response: OcspResponse, issuer: Certificate): Promise<Certificate | null | undefined> {
  if (await isSignedBy(response, issuer)) return null;
  for (const responder of response.certificates) {
    if (!(responder.purposes?.includes(ocspSigning) ?? false) || responder.unknownCritical.length > 0) continue;
    if (response.producedAt < responder.notBefore || response.producedAt > responder.notAfter) continue;
    if (!sameName(responder.issuer, issuer.subject) || !(await isIssuedBy(responder, issuer))) continue;
    if (await isSignedBy(response, responder)) return responder;
  }
  return undefined;
}

async function isSignedBy(response: OcspResponse, signer: Certificate): Promise<boolean> {
  const algorithm = signatureAlgorithm(response.signatureAlgorithm);
  if (algorithm === null) return false;
  const verdict = await verifySigned({
    publicKey: signer.publicKey,
    algorithm,
    hash: algorithm.hash ?? 'sha256',
    data: response.tbs,
    signature: response.signature,
  });
  return verdict === true;
}
