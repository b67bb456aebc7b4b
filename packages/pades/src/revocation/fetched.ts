import { children, readDer } from '../asn1/der.ts';
import { platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';
import { isIssuedBy } from '../x509/chain.ts';
import { parseSignedData } from '../cms/read-signed-data.ts';
import { sameName } from '../x509/name-match.ts';
import { isMadeBy, parseRevocationList } from './crl.ts';
import { parseOcspResponse } from './ocsp.ts';
import { revocationAt } from './status.ts';
import type { RevocationProofs, RevocationStatus } from './status.ts';

/**
 * What somebody answered at an address found in a certificate, judged before anyone believes or keeps it: by the functions
 * that verification uses, so that what is accepted here counts there.
 */
export interface FetchedProof {
  readonly status: 'good' | 'revoked';
  /** The issuer will have said something newer by then; null when it says nothing of that. */
  readonly nextUpdate: Date | null;
}

/** How far clocks may differ. */
const skew = 5 * 60_000;

/** A CRL (RFC 5280 §5) as one that speaks of the certificate at `at`; null for anything else. */
export function judgeFetchedList(der: Uint8Array, certificate: Certificate, issuer: Certificate, at: Date): Promise<FetchedProof | null> {
  return judge(der, certificate, issuer, at, (proofs) => proofs.lists.push({ source: 'fetched', value: parseRevocationList(der) }));
}

/**
 * A CRL as one that this issuer signed, whatever certificates it is asked about later: what may be handed on to somebody who
 * verifies for themselves. Null for anything else, and for one dated ahead of `at`; an outdated one still tells who was revoked.
 */
export async function judgeIssuersList(
  der: Uint8Array,
  issuer: Certificate,
  at: Date,
): Promise<{ readonly nextUpdate: Date | null } | null> {
  try {
    if (readDer(der).end !== der.length) return null;
    const list = parseRevocationList(der);
    const isTheirs = sameName(list.issuer, issuer.subject) && (await isMadeBy(list, issuer));
    return isTheirs && list.thisUpdate.getTime() <= at.getTime() + skew ? { nextUpdate: list.nextUpdate } : null;
  } catch {
    return null;
  }
}

/** An OCSPResponse (RFC 6960 §4.2.1) as one that speaks of the certificate at `at`; null for anything else. */
export function judgeFetchedResponse(
  der: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  at: Date,
  crypto: Crypto = platformCrypto,
): Promise<FetchedProof | null> {
  const add = (proofs: RevocationProofs): void => {
    // A BasicOCSPResponse alone is not what HTTP carries, nor what a DSS holds.
    if (children(readDer(der))[0]?.tag === 0x0a) proofs.responses.push({ source: 'fetched', value: parseOcspResponse(der) });
  };
  return judge(der, certificate, issuer, at, add, crypto);
}

async function judge(
  der: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  at: Date,
  add: (proofs: RevocationProofs) => void,
  crypto: Crypto = platformCrypto,
): Promise<FetchedProof | null> {
  const proofs: RevocationProofs = { lists: [], responses: [] };
  let found: RevocationStatus;
  try {
    if (readDer(der).end !== der.length) return null;
    add(proofs);
    found = await revocationAt(certificate, issuer, at, proofs, crypto);
  } catch {
    return null;
  }
  const { status, thisUpdate, nextUpdate } = found;
  if (status !== 'good' && status !== 'revoked') return null;
  // Good is judged by its times already; an outdated "revoked" stays true, but nobody has dated a proof ahead honestly.
  return thisUpdate !== null && thisUpdate.getTime() > at.getTime() + skew ? null : { status, nextUpdate };
}

/**
 * Certificates at a caIssuers address (RFC 5280 §4.2.2.1): one in DER, or a "certs-only" CMS with others.
 * Empty unless one of them issued `certificate`: then it is not what was asked for.
 */
export async function issuersInAnswer(der: Uint8Array, certificate: Certificate): Promise<readonly Certificate[]> {
  const candidates = certificatesOf(der).slice(0, 50);
  for (const candidate of candidates) if (await isIssuedBy(certificate, candidate)) return candidates;
  return [];
}

function certificatesOf(der: Uint8Array): readonly Certificate[] {
  try {
    return readDer(der).end === der.length ? [parseCertificate(der)] : [];
  } catch {
    try {
      return parseSignedData(der).certificates;
    } catch {
      return [];
    }
  }
}
