import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { type Issuer, privateKeyOf, readCertificate } from '../certificate-authority.ts';
import { type Authority, derOf, type RsaHash } from './authorities.ts';
import type { IssuedCertificate, Tree } from './pki.ts';

/** An authority as JSON; certificate and key (PKCS #8) in base64. */
export interface StoredAuthority {
  readonly slug: string;
  readonly parent: string | null;
  readonly hash: RsaHash;
  readonly listHours: number;
  readonly certificate: string;
  readonly key: string;
  /** Serial number and instant (ISO 8601). */
  readonly revoked: readonly (readonly [string, string])[];
}

export interface StoredCertificate {
  readonly tree: Tree;
  readonly certificate: string;
  readonly key: string;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export async function storeAuthority({ slug, parent, hash, listHours, revoked, ...issuer }: Authority): Promise<StoredAuthority> {
  const key = (await privateKeyOf(issuer)).export({ format: 'der', type: 'pkcs8' });
  return {
    slug,
    parent: parent?.slug ?? null,
    hash,
    listHours,
    certificate: base64(derOf(issuer)),
    key: base64(key),
    revoked: [...revoked].map(([serial, at]) => [serial, at.toISOString()] as const),
  };
}

/** Nearest issuer first, as they are kept: a parent stands behind its child. */
export async function restoreAuthorities(stored: readonly StoredAuthority[]): Promise<Authority[]> {
  const restored = new Map<string, Authority>();
  for (const { slug, parent, hash, listHours, revoked, ...kept } of stored.toReversed()) {
    const issuer = await restoreIssuer(kept, hash);
    restored.set(slug, {
      ...issuer,
      slug,
      hash,
      listHours,
      parent: (parent === null ? null : restored.get(parent)) ?? null,
      revoked: new Map(revoked.map(([serial, at]) => [serial, new Date(at)])),
    });
  }
  return [...restored.values()].toReversed();
}

export function storeCertificate({ tree, certificate, key }: IssuedCertificate): StoredCertificate {
  return { tree, certificate: base64(certificate), key: base64(key.export({ format: 'der', type: 'pkcs8' })) };
}

export async function restoreCertificate(stored: StoredCertificate, chain: readonly Uint8Array[]): Promise<IssuedCertificate> {
  const issuer = await restoreIssuer(stored, 'SHA-256');
  return {
    certificate: derOf(issuer),
    chain,
    key: createPrivateKey({ key: Buffer.from(stored.key, 'base64'), format: 'der', type: 'pkcs8' }),
    keys: issuer.keys,
    serialNumber: issuer.certificate.serialNumber,
    tree: stored.tree,
  };
}

async function restoreIssuer(stored: { certificate: string; key: string }, hash: RsaHash): Promise<Issuer> {
  const der = Buffer.from(stored.certificate, 'base64');
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
  const spki = new X509Certificate(der).publicKey.export({ format: 'der', type: 'spki' });
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey('pkcs8', Buffer.from(stored.key, 'base64'), algorithm, true, ['sign']),
    webcrypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
  ]);
  return { certificate: readCertificate(der), keys: { privateKey, publicKey } };
}
