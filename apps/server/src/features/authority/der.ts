import type { KeyObject } from 'node:crypto';
import { signAtOnce } from './sign-ecdsa.ts';

/**
 * As much DER (X.690 §10) as certificates and lists need that are made while somebody waits. What is made once, the installation's own
 * authority, is made by a library (x509.ts): it takes ten times as long for each, and a test compares the bytes of both.
 */
export function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [...longLength(length)];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function longLength(length: number): number[] {
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 + digits.length, ...digits];
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);

/** An INTEGER from the hexadecimal digits of a number that is not negative. */
export function integer(hex: string): Buffer {
  const digits = hex.replace(/^0+/, '');
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  const isNegative = bytes.length === 0 || (bytes[0] ?? 0) > 127;
  return tlv(0x02, ...(isNegative ? [Buffer.of(0)] : []), bytes);
}

/** A BIT STRING of whole octets. */
export const bits = (bytes: Uint8Array): Buffer => tlv(0x03, Buffer.of(0), bytes);

/** A Time of RFC 5280 §4.1.2.5: with two digits for the year until 2049, to the second. */
export function time(at: Date): Buffer {
  const text = `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050 ? tlv(0x17, Buffer.from(text.slice(2))) : tlv(0x18, Buffer.from(text));
}

/** A name of one attribute in each of its parts; `type`: the last octet of its identifier below 2.5.4 (RFC 5280 §4.1.2.4). */
export function distinguishedName(parts: readonly { type: number; value: string }[]): Buffer {
  return sequence(
    ...parts.map(({ type, value }) => {
      const isPrintable = /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value);
      return tlv(0x31, sequence(Buffer.of(0x06, 0x03, 0x55, 0x04, type), tlv(isPrintable ? 0x13 : 0x0c, Buffer.from(value))));
    }),
  );
}

/** An Extension of 2.5.29.`type`. */
export function extension(type: number, critical: boolean, value: Uint8Array): Buffer {
  return sequence(Buffer.of(0x06, 0x03, 0x55, 0x1d, type), ...(critical ? [Buffer.of(0x01, 0x01, 0xff)] : []), tlv(0x04, value));
}

/** ecdsa-with-SHA256 (RFC 5758 §3.2). */
export const ecdsaWithSha256 = Buffer.from('300a06082a8648ce3d040302', 'hex');

/** What is to be signed with its algorithm and its signature behind it. */
export function signed(toBeSigned: Uint8Array, key: KeyObject): Buffer {
  return sequence(toBeSigned, ecdsaWithSha256, bits(signAtOnce(key, toBeSigned)));
}
