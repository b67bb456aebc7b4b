import { certificateParts } from '../x509/certificate-parts.ts';
import { sameBytes } from '../asn1/der.ts';
import { signingKeyOf } from '../cms/signing-key.ts';
import type { SigningKey } from '../cms/signing-key.ts';
import { verifySignatureValue } from '../cms/verify-value.ts';
import { PadesError } from '../errors.ts';
import type { Signer } from '../sign/sign-pdf.ts';
import { count, damaged, dotted, item, items, octets, parse, tagged } from './asn1.ts';
import { passwordForms } from './key-derivation.ts';
import { macMatches } from './mac.ts';
import { importPrivateKey } from './private-key.ts';
import { openSafes } from './safe-contents.ts';
import type { Bags } from './safe-contents.ts';

/** A key with certificates is some kilobytes. */
const maxFile = 8 << 20;

/** A signer's certificate file, opened. */
export interface CertificateFile {
  /** The certificate of the private key, DER. */
  readonly certificate: Uint8Array;
  /** Its issuers as far as the file has them, DER, nearest first. Often empty: complete it before signing. */
  readonly chain: readonly Uint8Array[];
  /** PrivateKeyInfo, not encrypted: overwrite it (`fill(0)`) when it is no longer needed. */
  readonly privateKeyPkcs8: Uint8Array;
  readonly keyType: SigningKey;
}

/**
 * Opens a PKCS #12 file (.pfx, .p12; RFC 7292, RFC 9579). The password is taken as typed, in NFC.
 *
 * Throws P12_WRONG_PASSWORD (a byte changed inside the file looks the same: its MAC cannot tell), P12_DAMAGED (not such a file, or cut), P12_UNSUPPORTED (`algorithm`; `iterations` beyond
 * the bound; a kind or size of key that is not signed with), P12_NO_KEY.
 */
export async function openCertificateFile(bytes: Uint8Array, password: string): Promise<CertificateFile> {
  const [first, ...others] = await openCertificateFiles(bytes, password);
  for (const { privateKeyPkcs8 } of others) privateKeyPkcs8.fill(0);
  return first;
}

/** Every key of the file that has its certificate in it, in the file's order, for a person to choose. Throws as `openCertificateFile`. */
export async function openCertificateFiles(bytes: Uint8Array, password: string): Promise<[CertificateFile, ...CertificateFile[]]> {
  try {
    return await findSigners(await openBags(bytes, password.normalize('NFC')));
  } catch (error) {
    if (!(error instanceof PadesError)) throw damaged('cannot be read', error);
    if (error.code !== 'UNSUPPORTED_ALGORITHM') throw error;
    throw new PadesError('P12_UNSUPPORTED', error.message, { ...error.details }, error);
  }
}

async function openBags(bytes: Uint8Array, password: string): Promise<Bags> {
  if (bytes.length > maxFile) throw damaged('too large for a certificate file');
  const [version, authSafe, macData] = items(parse(bytes));
  if (count(version) !== 3) throw damaged('another version');
  if (dotted(item(authSafe, 0)) !== '1.2.840.113549.1.7.1') throw new PadesError('P12_UNSUPPORTED', 'signed instead of a password');
  const content = octets(tagged(items(authSafe), 0));
  const forms = passwordForms(password);
  if (macData !== undefined) {
    for (const form of forms) if (await macMatches(macData, content, form)) return await openProven(content, form);
    throw new PadesError('P12_WRONG_PASSWORD');
  }
  for (const form of forms.slice(0, -1)) {
    const opened = await openSafes(content, form).catch(() => null);
    if (opened !== null) return opened;
  }
  const last = forms.at(-1);
  if (last === undefined) throw new PadesError('P12_WRONG_PASSWORD');
  return openSafes(content, last);
}

/** The MAC has shown the password to be right: what does not decrypt then is damage. */
async function openProven(content: Uint8Array, form: Parameters<typeof openSafes>[1]): Promise<Bags> {
  try {
    return await openSafes(content, form);
  } catch (error) {
    if (error instanceof PadesError && error.code === 'P12_WRONG_PASSWORD') throw damaged('a safe has another password', error);
    throw error;
  }
}

/** The keys that have their certificate in the file: shown by a signature, since names and identifiers are only hints. */
async function findSigners({ keys, certificates }: Bags): Promise<[CertificateFile, ...CertificateFile[]]> {
  const found: CertificateFile[] = [];
  const data = globalThis.crypto.getRandomValues(new Uint8Array(32));
  let refusal: PadesError | null = null;
  for (const privateKeyPkcs8 of keys) {
    try {
      const key = await importPrivateKey(privateKeyPkcs8);
      const signatureValue = await key.sign(data, 'sha256');
      for (const certificate of certificates) {
        const matches = await verifySignatureValue({ certificate, data, signatureValue, digest: 'sha256' }).catch(() => false);
        if (!matches) continue;
        found.push({ certificate, chain: chainOf(certificate, certificates), privateKeyPkcs8, keyType: signingKeyOf(certificate) });
        break;
      }
    } catch (error) {
      if (!(error instanceof PadesError)) throw error;
      refusal ??= error;
    }
  }
  const [first, ...others] = found;
  if (first !== undefined) return [first, ...others];
  throw refusal ?? new PadesError('P12_NO_KEY', keys.length === 0 ? 'no private key' : 'no certificate for the key');
}

/** Issuers by name, nearest first. Whether they really signed is the verifier's question. */
function chainOf(leaf: Uint8Array, certificates: readonly Uint8Array[]): Uint8Array[] {
  const others = certificates.filter((der) => der !== leaf).map((der) => ({ der, ...certificateParts(der) }));
  const chain: Uint8Array[] = [];
  for (let current = certificateParts(leaf); !sameBytes(current.issuer, current.subject);) {
    const { issuer } = current;
    const next = others.find(({ der, subject }) => sameBytes(subject, issuer) && !chain.includes(der));
    if (next === undefined) break;
    chain.push(next.der);
    current = next;
  }
  return chain;
}

/** A signer of an opened file. The key stays in Web Crypto and cannot be taken out of it. Throws P12_UNSUPPORTED, P12_DAMAGED. */
export async function certificateFileSigner(file: CertificateFile): Promise<Signer> {
  const { sign } = await importPrivateKey(file.privateKeyPkcs8);
  return { certificate: file.certificate, chain: file.chain, sign };
}
