import 'reflect-metadata';
import { createPrivateKey, type KeyObject, randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
export const EKU_TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const YEAR_MS = 365 * 86_400_000;

export interface Issuer {
  certificate: x509.X509Certificate;
  keys: webcrypto.CryptoKeyPair;
}

/** Where a certificate says that its issuer's list, answers and certificate are to be had. */
export interface IssuerAddresses {
  crl?: string;
  ocsp?: string;
  issuer?: string;
}

function addressExtensions({ crl, ocsp, issuer }: IssuerAddresses): x509.Extension[] {
  const access = { ...(ocsp ? { ocsp: [ocsp] } : {}), ...(issuer ? { caIssuers: [issuer] } : {}) };
  return [
    ...(crl ? [new x509.CRLDistributionPointsExtension([crl])] : []),
    ...(ocsp || issuer ? [new x509.AuthorityInfoAccessExtension(access)] : []),
  ];
}

const serial = () => `01${randomBytes(15).toString('hex')}`;

/** By this production knows certificates whose keys anybody may have. */
const OURS = 'Lavra (desenvolvimento)';

/** A self-signed root. */
export async function createRoot(name: string, now = new Date(), organization = OURS): Promise<Issuer> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: `CN=${name},O=${organization},C=BR`,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + 20 * YEAR_MS),
    signingAlgorithm: ALGORITHM,
    keys: keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys: keys };
}

/** An authority below another. */
export async function issueAuthority(root: Issuer, name: string, addresses: IssuerAddresses = {}, now = new Date()): Promise<Issuer> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${name},O=${OURS},C=BR`,
    issuer: root.certificate.subject,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + 15 * YEAR_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: root.keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(root.certificate),
      ...addressExtensions(addresses),
    ],
  });
  return { certificate, keys };
}

/** A timestamping certificate: RFC 3161 §2.3 wants the extended key usage critical and alone. */
export async function issueTimestampCertificate(
  root: Issuer,
  name: string,
  now = new Date(),
  addresses: IssuerAddresses = {},
): Promise<Issuer> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${name},O=${OURS},C=BR`,
    issuer: root.certificate.subject,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + 10 * YEAR_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: root.keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([EKU_TIME_STAMPING], true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(root.certificate),
      ...addressExtensions(addresses),
    ],
  });
  return { certificate, keys };
}

function distributionPoint(url: string | undefined): x509.Extension[] {
  return url === undefined ? [] : [new x509.CRLDistributionPointsExtension([url])];
}

/**
 * A person's certificate for signing; with `keys` another certificate over a key that is there already, of any kind;
 * `revocationList` is the address of the list that the certificate would stand on.
 */
export async function issueSignerCertificate(
  root: Issuer,
  name: string,
  options: { now?: Date; keys?: Issuer['keys']; revocationList?: string } = {},
): Promise<Issuer> {
  const now = options.now ?? new Date();
  const keys = options.keys ?? (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']));
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${name},O=${OURS},C=BR`,
    issuer: root.certificate.subject,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + YEAR_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: root.keys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(root.certificate),
      ...distributionPoint(options.revocationList),
    ],
  });
  return { certificate, keys };
}

/** The private key for `node:crypto`. */
export async function privateKeyOf(issuer: Issuer): Promise<KeyObject> {
  return createPrivateKey({
    key: Buffer.from(await webcrypto.subtle.exportKey('pkcs8', issuer.keys.privateKey)),
    format: 'der',
    type: 'pkcs8',
  });
}

/** The list of a root or another issuer, valid for a week: of the development world nothing is ever revoked. */
export async function rootRevocationList(
  root: { certificate: x509.X509Certificate; privateKey: webcrypto.CryptoKey },
  now = new Date(),
  revoked: readonly (string | { serialNumber: string; revocationDate: Date; reason?: number })[] = [],
): Promise<Uint8Array> {
  const crl = await x509.X509CrlGenerator.create({
    issuer: root.certificate.subject,
    thisUpdate: new Date(now.getTime() - 1000),
    nextUpdate: new Date(now.getTime() + 7 * 86_400_000),
    signingAlgorithm: ALGORITHM,
    signingKey: root.privateKey,
    entries: revoked.map((one) => (typeof one === 'string' ? { serialNumber: one, revocationDate: now } : one)),
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(root.certificate.publicKey),
      new x509.Extension('2.5.29.20', false, Uint8Array.from([2, 1, 1])),
    ],
  });
  return new Uint8Array(crl.rawData);
}

/** A stored key as WebCrypto's, for signing certificates and lists. */
export function importPrivateKey(pkcs8: Uint8Array): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', Buffer.from(pkcs8), ALGORITHM, false, ['sign']);
}

/** A stored certificate. */
export function readCertificate(der: Uint8Array): x509.X509Certificate {
  return new x509.X509Certificate(Buffer.from(der));
}
