import { createHash, webcrypto } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { type AuthorityMember, issuedExtensions, loadAuthority } from './authority.ts';
import { distinguishedName, ecdsaWithSha256, extension, integer, sequence, signed, time, tlv } from './der.ts';
import { type KeyPair, newSerial } from './keys.ts';

/** A certificate that the installation issued to a signer. */
export interface SignerCertificate {
  der: Uint8Array;
  /** Hexadecimal. */
  serial: string;
  /** RFC 4514. */
  subject: string;
  notBefore: Date;
  notAfter: Date;
}

const VERSION_3 = tlv(0xa0, integer('02'));
/** No authority. */
const BASIC_CONSTRAINTS = extension(19, true, sequence());
/** digitalSignature, nonRepudiation. */
const KEY_USAGE = extension(15, true, Buffer.of(0x03, 0x02, 0x06, 0xc0));
const RFC822_NAME = 0x81;
const OTHER_NAME = 0xa0;
/** id-on-SmtpUTF8Mailbox. */
const SMTP_UTF8_MAILBOX = Buffer.from('06082b06010505070809', 'hex');
/** What the subject says beside the name: commonName 3, organizationName 10, countryName 6. */
const ORGANIZATION = 'Assinatura eletrônica Lavra';
const COUNTRY = 'BR';

/** What of every certificate below an issuer is the same: its name, and what is said of it. */
const ofIssuer = new WeakMap<AuthorityMember, Promise<{ name: Uint8Array; extensions: readonly Uint8Array[] }>>();

function partsOf(ctx: Ctx, issuer: AuthorityMember) {
  const known = ofIssuer.get(issuer);
  if (known) return known;
  const made = issuedExtensions(ctx, issuer).then((extensions) => ({
    name: new Uint8Array(issuer.certificate.subjectName.toArrayBuffer()),
    extensions: extensions.map(({ rawData }) => new Uint8Array(rawData)),
  }));
  ofIssuer.set(issuer, made);
  made.catch(() => ofIssuer.delete(issuer));
  return made;
}

/** A key pair's public half under the people issuer, for one signer's one act; ends with its issuer at the latest. */
export async function issueSignerCertificate(
  ctx: Ctx,
  signer: { name: string; email: string },
  keys: KeyPair,
  end: Date,
): Promise<SignerCertificate> {
  const { people } = await loadAuthority(ctx);
  const { name: issuer, extensions } = await partsOf(ctx, people);
  const now = ctx.clock.now();
  const notBefore = toTheSecond(new Date(now.getTime() - 60_000));
  const notAfter = toTheSecond(end < people.certificate.notAfter ? end : people.certificate.notAfter);
  const serial = newSerial();
  const publicKey = Buffer.from(await webcrypto.subtle.exportKey('spki', keys.publicKey));
  const toBeSigned = sequence(
    VERSION_3,
    integer(serial),
    ecdsaWithSha256,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    // The CPF is evidence, not identity proved by us, and never imitates an ICP-Brasil field.
    distinguishedName([
      { type: 3, value: signer.name },
      { type: 10, value: ORGANIZATION },
      { type: 6, value: COUNTRY },
    ]),
    publicKey,
    tlv(
      0xa3,
      sequence(
        BASIC_CONSTRAINTS,
        KEY_USAGE,
        extension(14, false, tlv(0x04, keyIdentifier(publicKey))),
        extension(17, false, sequence(mailbox(signer.email))),
        ...extensions,
      ),
    ),
  );
  const der = new Uint8Array(signed(toBeSigned, people.privateKey));
  const subject = `CN=${escaped(signer.name)}, O=${ORGANIZATION}, C=${COUNTRY}`;
  return { der, serial, subject, notBefore, notAfter };
}

const toTheSecond = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000);

/** An uncompressed point of P-256, which ends the SubjectPublicKeyInfo: 0x04 and both coordinates. */
const POINT = 65;

/** SHA-1 of the public key's bits (RFC 5280 §4.2.1.2). */
function keyIdentifier(publicKey: Uint8Array): Buffer {
  return createHash('sha1').update(publicKey.subarray(-POINT)).digest();
}

/** An address as an alternative name: an rfc822Name has ASCII alone (RFC 5280 §4.2.1.6), others are a SmtpUTF8Mailbox (RFC 9598 §3). */
function mailbox(email: string): Buffer {
  const isAscii = /^[!-~]*$/.test(email);
  return isAscii ? tlv(RFC822_NAME, Buffer.from(email)) : tlv(OTHER_NAME, SMTP_UTF8_MAILBOX, tlv(0xa0, tlv(0x0c, Buffer.from(email))));
}

/** RFC 4514 §2.4. */
function escaped(value: string): string {
  return value
    .replace(/[,+"\\<>;]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ');
}
