import { children, contentOf, isOid, sameBytes } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import { digestOf } from '../crypto.ts';
import type { Crypto, HashName } from '../crypto.ts';
import { hashNamed } from '../x509/algorithms.ts';
import type { Certificate } from '../x509/certificate.ts';
import { hexText } from '../pdf/hex.ts';
import { isKnownCurve, keyBits, verifySigned } from '../x509/verify-signed.ts';
import type { VerdictBuilder } from './report.ts';
import { signerCertificate, single } from '../cms/read-signed-data.ts';
import type { SignedData, SignerInfo } from '../cms/read-signed-data.ts';

const signingCertificateV1 = '1.2.840.113549.1.9.16.2.12';

export interface CmsExpectation {
  /** Digest of what the signature speaks of. */
  readonly digest: (hash: HashName) => Promise<Uint8Array>;
  readonly contentType: string;
  /** CAdES forms must protect the signer's certificate (RFC 5035). */
  readonly protectsCertificate: boolean;
}

/**
 * Format and cryptographic checks of one CMS (EN 319 102-1 §5.2.2, §5.2.3, §5.2.7, §5.2.8). Answers the signer's
 * certificate when it was found; verdicts go to `out`.
 */
export async function checkCms(
  cms: SignedData,
  expected: CmsExpectation,
  crypto: Crypto,
  out: VerdictBuilder,
): Promise<Certificate | null> {
  const [signer] = cms.signers;
  if (signer === undefined || cms.signers.length !== 1) {
    out.fail('FORMAT_FAILURE', 'NOT_ONE_SIGNER');
    return null;
  }
  // What the signed attribute says must be what stands outside it (RFC 5652 §11.1).
  if (cms.contentType !== expected.contentType) out.fail('FORMAT_FAILURE', 'CONTENT_TYPE_MISMATCH');
  const certificate = signerCertificate(cms);
  if (certificate === null) {
    out.doubt('NO_SIGNING_CERTIFICATE_FOUND', 'SIGNING_CERTIFICATE_NOT_FOUND');
    return null;
  }
  if (checkAlgorithms(signer, certificate, out) && signer.digest !== null) {
    await checkValue(signer, signer.digest, certificate, expected, out);
    await checkCertificateReference(signer, certificate, expected.protectsCertificate, crypto, out);
  }
  return certificate;
}

/** The hash of the signature algorithm and the digest algorithm must be one: a signature's own identifier is no digest. */
function checkAlgorithms({ digest, algorithm }: SignerInfo, certificate: Certificate, out: VerdictBuilder): boolean {
  if (digest === null || algorithm === null) {
    out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNSUPPORTED');
    return false;
  }
  if (algorithm.hash !== null && algorithm.hash !== digest) {
    out.fail('SIG_CRYPTO_FAILURE', 'ALGORITHMS_DISAGREE');
    return false;
  }
  // Each of the two has one digest (RFC 8419 §3.1): another one was chosen by somebody who does not know the algorithm.
  const bound = algorithm.kind === 'ed25519' ? 'sha512' : algorithm.kind === 'ed448' ? 'shake256' : digest;
  if (digest !== bound) out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHMS_DISAGREE');
  const bits = keyBits(certificate.publicKey);
  const isRsa = algorithm.kind === 'rsa' || algorithm.kind === 'rsa-pss';
  const isWeak = digest === 'sha1' || digest === 'sha224' || (isRsa ? bits < 2048 : bits < 256);
  if (isWeak || !isKnownCurve(certificate.publicKey)) out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_WEAK');
  return true;
}

async function checkValue(
  signer: SignerInfo,
  hash: HashName,
  certificate: Certificate,
  expected: CmsExpectation,
  out: VerdictBuilder,
): Promise<void> {
  if (signer.signedBytes === null || signer.algorithm === null) {
    // Without signed attributes nothing binds the certificate or the type: not PAdES, and open to substitution.
    out.doubt('SIG_CONSTRAINTS_FAILURE', 'NO_SIGNED_ATTRIBUTES');
    return;
  }
  const type = single(signer.signed, oids.contentType);
  if (!isOid(type ?? undefined, expected.contentType)) out.fail('FORMAT_FAILURE', 'CONTENT_TYPE_MISMATCH');
  const stated = single(signer.signed, oids.messageDigest);
  if (stated === null || !sameBytes(contentOf(stated), await expected.digest(hash))) out.fail('HASH_FAILURE', 'DIGEST_MISMATCH');
  const holds = await verifySigned({
    publicKey: certificate.publicKey,
    algorithm: signer.algorithm,
    hash,
    data: signer.signedBytes,
    signature: signer.signature,
  });
  if (holds === 'unsupported') out.doubt('CRYPTO_CONSTRAINTS_FAILURE', 'ALGORITHM_UNSUPPORTED');
  else if (!holds) out.fail('SIG_CRYPTO_FAILURE', 'SIGNATURE_INVALID');
}

/** signing-certificate (v2): its first reference must be this very certificate (RFC 5035 §5.4). */
async function checkCertificateReference(
  signer: SignerInfo,
  certificate: Certificate,
  required: boolean,
  crypto: Crypto,
  out: VerdictBuilder,
): Promise<void> {
  const v2 = single(signer.signed, oids.signingCertificateV2);
  const value = v2 ?? single(signer.signed, signingCertificateV1);
  if (value === null) {
    if (required) out.doubt('SIG_CONSTRAINTS_FAILURE', 'SIGNING_CERTIFICATE_UNPROTECTED');
    return;
  }
  const matches = await referenceMatches(value, v2 !== null, certificate, crypto).catch(() => false);
  if (!matches) out.doubt('NO_SIGNING_CERTIFICATE_FOUND', 'SIGNING_CERTIFICATE_MISMATCH');
}

async function referenceMatches(value: DerNode, isV2: boolean, certificate: Certificate, crypto: Crypto): Promise<boolean> {
  const first = children(children(value)[0] ?? value)[0];
  if (first === undefined) return false;
  const parts = children(first);
  const stated = parts[0]?.tag === 0x30 ? hashNamed(parts[0]) : null;
  const named = parts[0]?.tag === 0x30;
  const hash: HashName | null = named ? stated : isV2 ? 'sha256' : 'sha1';
  const digest = parts[named ? 1 : 0];
  if (hash === null || digest?.tag !== 0x04) return false;
  if (!sameBytes(contentOf(digest), await digestOf(crypto, hash, certificate.der))) return false;
  const issuerSerial = parts[named ? 2 : 1];
  if (issuerSerial === undefined) return true;
  const serial = children(issuerSerial)[1];
  return serial !== undefined && hexText(contentOf(serial)) === certificate.serial;
}
