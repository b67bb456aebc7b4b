import { cbc, ecb } from '@noble/ciphers/aes.js';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { rc4 } from './rc4.ts';

/** What protected files need beside digests of today. At once: every string of a file is read with it. */

const zeros = new Uint8Array(16);
const plain = { disablePadding: true };

export { md5, rc4, sha256, sha384, sha512 };

/** AES-CBC with its IV in front and PKCS #7 behind; null: it is none. */
export function decryptCbc(key: Uint8Array, data: Uint8Array): Uint8Array | null {
  if (data.length === 0) return data;
  if (data.length < 32 || data.length % 16 !== 0) return null;
  try {
    return cbc(key, data.subarray(0, 16)).decrypt(data.subarray(16));
  } catch {
    return null;
  }
}

export function encryptCbc(key: Uint8Array, data: Uint8Array, iv: Uint8Array): Uint8Array {
  const sealed = cbc(key, iv).encrypt(data);
  const out = new Uint8Array(16 + sealed.length);
  out.set(iv);
  out.set(sealed, 16);
  return out;
}

/** Whole blocks, without padding. */
export function cbcBlocks(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  return cbc(key, iv, plain).encrypt(data);
}

/** A file key as UE and OE hold it: no padding, an IV of zeros. */
export function unwrapKey(key: Uint8Array, data: Uint8Array): Uint8Array {
  return cbc(key, zeros, plain).decrypt(data);
}

export function decryptBlock(key: Uint8Array, block: Uint8Array): Uint8Array {
  return ecb(key, plain).decrypt(block);
}
