import { child, octetString, readDer, sequence, tlv, derNull, oid } from '../asn1/der.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import type { Certificate } from '../x509/certificate.ts';
import { bitsOf } from '../asn1/values.ts';

const sha1 = '1.3.14.3.2.26';

/**
 * An OCSPRequest (RFC 6960 §4.1) for one certificate. SHA-1 in the CertID identifies and protects nothing; it is what every
 * responder knows (RFC 5019 §2.1.1). No nonce: many answers are made in advance, and one is judged by its own times.
 */
export async function ocspRequest(certificate: Certificate, issuer: Certificate, crypto: Crypto = platformCrypto): Promise<Uint8Array> {
  const key = bitsOf(child(readDer(issuer.publicKey), 1));
  const certId = sequence(
    sequence(oid(sha1), derNull),
    octetString(await digestOf(crypto, 'sha1', issuer.subject)),
    octetString(await digestOf(crypto, 'sha1', key)),
    tlv(
      0x02,
      Uint8Array.from(certificate.serial.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
    ),
  );
  return sequence(sequence(sequence(sequence(certId))));
}
