import { PadesError } from '../errors.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { Certificate } from '../x509/certificate.ts';

/** A root (or any CA) that is believed as it is, and what for. */
export interface TrustAnchor {
  /** DER. */
  readonly certificate: Uint8Array;
  /** Who vouches, for reports: `ICP-Brasil v5`, `gov.br`, the installation's name. */
  readonly name: string;
  readonly uses: readonly ('signature' | 'timestamp')[];
}

/** Whom the caller trusts. The package trusts nobody by itself. */
export interface TrustStore {
  readonly anchors: readonly TrustAnchor[];
  /** Issuers that files may leave out, DER: helpers on the way to an anchor, not trusted themselves. */
  readonly intermediates: readonly Uint8Array[];
}

/** All of several stores. */
export function joinTrust(...stores: readonly TrustStore[]): TrustStore {
  return { anchors: stores.flatMap(({ anchors }) => anchors), intermediates: stores.flatMap(({ intermediates }) => intermediates) };
}

/** DER certificates of a PEM text, comments between them allowed. Throws CERTIFICATE_INVALID for a broken block. */
export function certificatesInPem(pem: string): Uint8Array[] {
  return [...pem.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g)].map(([, body = '']) => {
    try {
      return Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (char) => char.charCodeAt(0));
    } catch (error) {
      throw new PadesError('CERTIFICATE_INVALID', 'no Base64', {}, error);
    }
  });
}

/** Anchors for one use, parsed. */
export function anchorsFor(trust: TrustStore, use: 'signature' | 'timestamp'): { certificate: Certificate; name: string }[] {
  return trust.anchors
    .filter(({ uses }) => uses.includes(use))
    .map(({ certificate, name }) => ({ certificate: parseCertificate(certificate), name }));
}
