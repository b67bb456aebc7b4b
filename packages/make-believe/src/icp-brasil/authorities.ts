import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { Issuer } from '../certificate-authority.ts';
import { encode, integer, oid, sequence, set, tagged, parse } from '../der.ts';
import { revocationExtensions } from './profile.ts';
import type { AuthorityAddresses } from './profile.ts';

x509.cryptoProvider.set(webcrypto);

export type RsaHash = 'SHA-256' | 'SHA-512';
const rsa = (hash: RsaHash) => ({ name: 'RSASSA-PKCS1-v1_5', hash, publicExponent: Uint8Array.of(1, 0, 1), modulusLength: 2048 });

/** Small keys even for roots: the true ones have 4096 bits, and nobody should wait for that in a test. */
export const createKeys = (hash: RsaHash = 'SHA-256') => webcrypto.subtle.generateKey(rsa(hash), true, ['sign', 'verify']);

export const serialNumber = () => `01${randomBytes(15).toString('hex')}`;
export const derOf = ({ certificate }: Pick<Issuer, 'certificate'>) => new Uint8Array(certificate.rawData);

/** An authority with what it needs to publish. */
export interface Authority extends Issuer {
  /** In addresses: `ac-raiz-v5`. */
  readonly slug: string;
  readonly hash: RsaHash;
  readonly parent: Authority | null;
  readonly revoked: Map<string, Date>;
  /** How long its lists are good. */
  readonly listHours: number;
}

interface AuthorityPlan {
  readonly slug: string;
  readonly name: string;
  readonly hash: RsaHash;
  readonly parent: Authority | null;
  readonly years: number;
  readonly notBefore: Date;
  readonly pathLength?: number;
  readonly listHours: number;
  readonly keys: Issuer['keys'];
}

const year = 365 * 86_400_000;

export async function createAuthority(plan: AuthorityPlan, addressesOf: (slug: string) => AuthorityAddresses): Promise<Authority> {
  const { slug, hash, parent, notBefore, listHours, keys } = plan;
  const subject = `CN=${plan.name}, OU=Faz de conta - nao vale nada, O=ICP-Brasil, C=BR`;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject,
    issuer: parent?.certificate.subject ?? subject,
    notBefore,
    notAfter: new Date(notBefore.getTime() + plan.years * year),
    signingAlgorithm: rsa(parent?.hash ?? hash),
    publicKey: keys.publicKey,
    signingKey: (parent?.keys ?? keys).privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, plan.pathLength, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(parent === null
        ? []
        : [await x509.AuthorityKeyIdentifierExtension.create(parent.certificate), ...revocationExtensions(addressesOf(parent.slug))]),
    ],
  });
  return { slug, hash, parent, certificate, keys, listHours, revoked: new Map() };
}

/** What an authority signs for somebody; `extensions` without the key identifiers. */
export async function issueEndCertificate(
  issuer: Authority,
  plan: { subject: string; notBefore: Date; notAfter: Date; extensions: x509.Extension[]; keys: Issuer['keys'] },
): Promise<Issuer> {
  const { keys } = plan;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: plan.subject,
    issuer: issuer.certificate.subject,
    notBefore: plan.notBefore,
    notAfter: plan.notAfter,
    signingAlgorithm: rsa(issuer.hash),
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    extensions: [
      ...plan.extensions,
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys };
}

/** The authority's list as of `now`. */
export async function revocationList({ certificate, keys, hash, revoked, listHours }: Authority, now: Date): Promise<Uint8Array> {
  const crl = await x509.X509CrlGenerator.create({
    issuer: certificate.subject,
    thisUpdate: new Date(now.getTime() - 60_000),
    nextUpdate: new Date(now.getTime() + listHours * 3_600_000),
    signingAlgorithm: rsa(hash),
    signingKey: keys.privateKey,
    entries: [...revoked].map(([serial, revocationDate]) => ({ serialNumber: serial, revocationDate })),
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey),
      new x509.Extension('2.5.29.20', false, encode(integer(Math.floor(now.getTime() / 1000)))),
    ],
  });
  return new Uint8Array(crl.rawData);
}

/** Nearest issuer first, the root last. */
export function chainFrom(authority: Authority | null): Authority[] {
  return authority === null ? [] : [authority, ...chainFrom(authority.parent)];
}

/** A certs-only CMS (.p7b), as ICP-Brasil's caIssuers addresses answer. */
export function certificatesOnly(certificates: readonly Uint8Array[]): Uint8Array {
  const signedData = sequence(integer(1), set(), sequence(oid('1.2.840.113549.1.7.1')), tagged(0, ...certificates.map(parse)), set());
  return encode(sequence(oid('1.2.840.113549.1.7.2'), tagged(0, signedData)));
}
