import { PadesError } from '../errors.ts';
import { count, damaged, dotted, item, octets } from './asn1.ts';
import type { Node } from './asn1.ts';
import { pbkdf2, pkcs12Key, purposes, unsupported } from './key-derivation.ts';
import type { Password } from './key-derivation.ts';

const pbes2 = '1.2.840.113549.1.5.13';

/** RFC 3565, RFC 5084: AES by OID, key length in bytes. */
const aes: Readonly<Record<string, { mode: 'AES-CBC' | 'AES-GCM'; keyLength: number }>> = {
  '2.16.840.1.101.3.4.1.2': { mode: 'AES-CBC', keyLength: 16 },
  '2.16.840.1.101.3.4.1.22': { mode: 'AES-CBC', keyLength: 24 },
  '2.16.840.1.101.3.4.1.42': { mode: 'AES-CBC', keyLength: 32 },
  '2.16.840.1.101.3.4.1.6': { mode: 'AES-GCM', keyLength: 16 },
  '2.16.840.1.101.3.4.1.26': { mode: 'AES-GCM', keyLength: 24 },
  '2.16.840.1.101.3.4.1.46': { mode: 'AES-GCM', keyLength: 32 },
};

/** RFC 7292 §C: what old ICP-Brasil files use, key length in bytes. RC4 was never seen and is not read. */
const legacy: Readonly<Record<string, { cipher: '3DES' | 'RC2'; keyLength: number }>> = {
  '1.2.840.113549.1.12.1.3': { cipher: '3DES', keyLength: 24 },
  '1.2.840.113549.1.12.1.4': { cipher: '3DES', keyLength: 16 },
  '1.2.840.113549.1.12.1.5': { cipher: 'RC2', keyLength: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: 'RC2', keyLength: 5 },
};

/**
 * Decrypts content under a password-based algorithm. Throws P12_WRONG_PASSWORD when the padding or tag is wrong,
 * P12_UNSUPPORTED (`algorithm`, or `iterations`), P12_DAMAGED.
 */
export async function decrypt(algorithm: Node, data: Uint8Array<ArrayBuffer>, password: Password): Promise<Uint8Array> {
  const id = dotted(item(algorithm, 0));
  const old = legacy[id];
  if (old !== undefined) return decryptLegacy(old, item(algorithm, 1), data, password);
  if (id !== pbes2) throw unsupported(id);
  const parameters = item(algorithm, 1);
  const scheme = item(parameters, 1);
  const name = dotted(item(scheme, 0));
  if (name === '1.2.840.113549.3.7') {
    const key = await pbkdf2(item(parameters, 0), password, 24);
    return runLegacy('3DES', key, octets(item(scheme, 1)), data);
  }
  const how = aes[name];
  if (how === undefined) throw unsupported(name);
  const key = await pbkdf2(item(parameters, 0), password, how.keyLength);
  return decryptAes(how.mode, key, item(scheme, 1), data);
}

async function decryptAes(
  mode: 'AES-CBC' | 'AES-GCM',
  rawKey: Uint8Array<ArrayBuffer>,
  parameters: Node,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const iv = mode === 'AES-CBC' ? octets(parameters) : octets(item(parameters, 0));
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', rawKey, mode, false, ['decrypt']).catch((error: unknown) => {
    // Chromium has no AES-192.
    throw new PadesError('P12_UNSUPPORTED', 'AES-192', { algorithm: 'AES-192' }, error);
  });
  try {
    return new Uint8Array(await subtle.decrypt({ name: mode, iv }, key, data));
  } catch (error) {
    throw new PadesError('P12_WRONG_PASSWORD', 'does not decrypt', {}, error);
  }
}

async function decryptLegacy(
  { cipher, keyLength }: { cipher: '3DES' | 'RC2'; keyLength: number },
  parameters: Node,
  data: Uint8Array,
  password: Password,
): Promise<Uint8Array> {
  const common = { hash: 'SHA-1' as const, salt: octets(item(parameters, 0)), iterations: count(item(parameters, 1)) };
  const derived = await pkcs12Key(password, { ...common, purpose: purposes.key, length: keyLength });
  // Two-key triple DES is the first key once more.
  const key = cipher === '3DES' && keyLength === 16 ? Uint8Array.of(...derived, ...derived.subarray(0, 8)) : derived;
  const iv = await pkcs12Key(password, { ...common, purpose: purposes.vector, length: 8 });
  return runLegacy(cipher, key, iv, data);
}

/** RC2 and triple DES, which no Web Crypto has. The library is loaded only for files that need it. */
async function runLegacy(cipher: '3DES' | 'RC2', key: Uint8Array, iv: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  if (data.length === 0 || data.length % 8 !== 0) throw damaged('encrypted data of a wrong length');
  const { default: forge } = await import('node-forge');
  const decipher =
    cipher === '3DES'
      ? forge.cipher.createDecipher('3DES-CBC', binary(key))
      : forge.rc2.createDecryptionCipher(binary(key), key.length * 8);
  decipher.start(cipher === '3DES' ? { iv: binary(iv) } : binary(iv));
  decipher.update(forge.util.createBuffer(binary(data)));
  if (!decipher.finish()) throw new PadesError('P12_WRONG_PASSWORD', 'does not decrypt');
  return Uint8Array.from(decipher.output.getBytes(), (character) => character.charCodeAt(0));
}

function binary(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
