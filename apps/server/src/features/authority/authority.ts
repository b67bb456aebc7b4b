import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { insertAuthority, listAuthorities, lockAuthority } from './authority.store.ts';
import { KEY_ALGORITHM, newKeyPair, newSerial } from './keys.ts';
import type { x509 } from './x509.ts';

/**
 * The installation's own authority: a root; below it one issuer for signers ("people") and one for the
 * platform's seal. Two issuers because their CRLs must age differently: see docs/decisions/002.
 */
export type AuthorityId = 'root' | 'people' | 'platform' | 'seal';

export interface AuthorityMember {
  id: AuthorityId;
  certificate: x509.X509Certificate;
  /** DER. */
  der: Uint8Array;
  privateKey: KeyObject;
}

export type Authority = Record<AuthorityId, AuthorityMember>;

const YEAR_MS = 365.25 * 86_400_000;
const PURPOSE = 'authority-key';
const loaded = new WeakMap<Ctx['config'], Promise<Authority>>();

/** The authority, made on first use; several nodes make it once (advisory lock). */
export function loadAuthority(ctx: Ctx): Promise<Authority> {
  const known = loaded.get(ctx.config);
  if (known) return known;
  const loading = readOrCreate(ctx);
  loaded.set(ctx.config, loading);
  loading.catch(() => loaded.delete(ctx.config));
  return loading;
}

async function readOrCreate(ctx: Ctx): Promise<Authority> {
  // Not while the authority is locked.
  const { x509 } = await import('./x509.ts');
  return ctx.transaction(async (tx) => {
    await lockAuthority(tx);
    const stored = await listAuthorities(tx);
    if (stored.length === 0) return create(tx);
    const members = stored.map((row): AuthorityMember => {
      const privateKey = createPrivateKey({ key: tx.secrets.decrypt(PURPOSE, row.encryptedKey), format: 'der', type: 'pkcs8' });
      const der = new Uint8Array(row.certificate);
      return { id: row.id as AuthorityId, certificate: new x509.X509Certificate(der), der, privateKey };
    });
    return Object.fromEntries(members.map((member) => [member.id, member])) as Authority;
  });
}

async function create(tx: Ctx): Promise<Authority> {
  const now = tx.clock.now();
  const host = new URL(tx.publicUrl).hostname;
  const root = await createMember(tx, 'root', `Lavra raiz (${host})`, null, 25, now);
  const people = await createMember(tx, 'people', `Lavra pessoas (${host})`, root, 20, now);
  const platform = await createMember(tx, 'platform', `Lavra plataforma (${host})`, root, 20, now);
  const seal = await createMember(tx, 'seal', `Lavra selo (${host})`, platform, 10, now);
  return { root, people, platform, seal };
}

async function createMember(
  tx: Ctx,
  id: AuthorityId,
  commonName: string,
  issuer: AuthorityMember | null,
  years: number,
  now: Date,
): Promise<AuthorityMember> {
  const { x509 } = await import('./x509.ts');
  const keys = await newKeyPair(true);
  const name = `CN=${commonName}, O=Lavra, C=BR`;
  const isCa = id !== 'seal';
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: name,
    issuer: issuer?.certificate.subject ?? name,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + years * YEAR_MS),
    signingAlgorithm: KEY_ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuer?.privateKey.toCryptoKey(KEY_ALGORITHM, false, ['sign']) ?? keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(isCa, id === 'people' || id === 'platform' ? 0 : undefined, true),
      new x509.KeyUsagesExtension(
        isCa
          ? x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign
          : x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(issuer ? await issuedExtensions(tx, issuer) : []),
    ],
  });
  const der = new Uint8Array(certificate.rawData);
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  await insertAuthority(tx, { id, certificate: Buffer.from(der), encryptedKey: tx.secrets.encrypt(PURPOSE, key) });
  return { id, certificate, der, privateKey: KeyObject.from(keys.privateKey) };
}

/** What every certificate below the root says of its issuer: key, CRL and certificate by address. */
export async function issuedExtensions(ctx: Ctx, issuer: AuthorityMember): Promise<x509.Extension[]> {
  const { x509 } = await import('./x509.ts');
  return [
    await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
    new x509.CRLDistributionPointsExtension([`${ctx.publicUrl}/pki/${issuer.id}.crl`]),
    new x509.AuthorityInfoAccessExtension({ caIssuers: [`${ctx.publicUrl}/pki/${issuer.id}.cer`] }),
  ];
}
