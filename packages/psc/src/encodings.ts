import type { HashEncoding } from './providers.ts';

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function encodeHash(hash: Uint8Array, encoding: HashEncoding): string {
  return encoding === 'hex' ? toHex(hash) : toBase64(hash);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Base64 or base64url, padded or not, broken into lines or not; null for anything else. */
export function fromAnyBase64(text: string): Uint8Array | null {
  const plain = text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (plain === '' || !/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1) return null;
  return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
}

/** Shorter than any signature: what looks like hexadecimal but is not that long may be base64 by chance. */
const shortestSignature = 64;

/**
 * A signature value as bytes, however it was written: base64, base64url, unpadded, PEM-armoured, hexadecimal. Base64 of a
 * signature that has hexadecimal digits only does not happen (less than once in 2^500). ECDSA comes out as DER. Null: unreadable.
 */
export function readSignatureValue(text: string): Uint8Array | null {
  const bare = text.replaceAll(/-----(BEGIN|END)[^-]*-----/g, '').replaceAll(/\s/g, '');
  const isHex = /^([0-9a-f]{2})+$/i.test(bare) && bare.length >= 2 * shortestSignature;
  const bytes = isHex ? Uint8Array.from(bare.match(/../g) ?? [], (pair) => parseInt(pair, 16)) : fromAnyBase64(bare);
  if (bytes === null || bytes.length < shortestSignature) return null;
  return isConcatenatedPair(bytes) ? derPair(bytes) : bytes;
}

/** r‖s of P-256, P-384, P-521. RSA of 2048 bits and more is longer; DER announces its own length. */
function isConcatenatedPair(bytes: Uint8Array): boolean {
  if (![64, 96, 132].includes(bytes.length)) return false;
  const header = bytes[1] === 0x81 ? 3 : 2;
  return !(bytes[0] === 0x30 && (bytes[header - 1] ?? 0) + header === bytes.length);
}

function derPair(bytes: Uint8Array): Uint8Array {
  const half = bytes.length / 2;
  const content = [...derInteger(bytes.subarray(0, half)), ...derInteger(bytes.subarray(half))];
  return Uint8Array.from([0x30, ...(content.length > 127 ? [0x81] : []), content.length, ...content]);
}

function derInteger(magnitude: Uint8Array): number[] {
  const digits = [...magnitude];
  while (digits.length > 1 && digits[0] === 0) digits.shift();
  if ((digits[0] ?? 0) > 127) digits.unshift(0);
  return [0x02, digits.length, ...digits];
}

/** A certificate written as PEM (one or a chain, leaf first) or as base64 DER; empty when it is neither. */
export function readCertificates(text: string): Uint8Array[] {
  const blocks = [...text.replaceAll('\\n', '\n').matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)];
  const bodies = blocks.length > 0 ? blocks.map(([, body = '']) => body) : [text];
  const read = bodies.map(fromAnyBase64);
  // SEQUENCE in long form: no certificate is shorter than 128 bytes.
  return read.every((der) => der !== null && der[0] === 0x30 && der.length > 128) ? (read as Uint8Array[]) : [];
}
