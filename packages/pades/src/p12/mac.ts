import { count, dotted, item, items, octets } from './asn1.ts';
import type { Node } from './asn1.ts';
import { hashNames, hmacNames, pbkdf2, pkcs12Key, purposes, unsupported } from './key-derivation.ts';
import type { HashName, Password } from './key-derivation.ts';

const pbmac1 = '1.2.840.113549.1.5.14';
const lengths: Record<HashName, number> = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };

/** True when the file's MAC (RFC 7292 §4, or PBMAC1 of RFC 9579) is the password's over `content`. */
export async function macMatches(macData: Node, content: Uint8Array<ArrayBuffer>, password: Password): Promise<boolean> {
  const [digestInfo, salt, iterations] = items(macData);
  const algorithm = item(digestInfo, 0);
  const id = dotted(item(algorithm, 0));
  const stated = octets(item(digestInfo, 1));
  if (id === pbmac1) {
    const [derivation, scheme] = items(item(algorithm, 1));
    const hash = hmacNames[dotted(item(scheme, 0))];
    if (derivation === undefined || hash === undefined) throw unsupported(id);
    return hmacMatches(hash, await pbkdf2(derivation, password), content, stated);
  }
  const hash = hashNames[id];
  if (hash === undefined) throw unsupported(id);
  const key = await pkcs12Key(password, {
    hash,
    salt: octets(salt),
    iterations: iterations === undefined ? 1 : count(iterations),
    purpose: purposes.mac,
    length: lengths[hash],
  });
  return hmacMatches(hash, key, content, stated);
}

async function hmacMatches(
  hash: HashName,
  rawKey: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
  stated: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', rawKey, { name: 'HMAC', hash }, false, ['verify']);
  return subtle.verify('HMAC', key, stated, content);
}
