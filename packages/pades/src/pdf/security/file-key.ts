import { latin1Bytes } from '../objects.ts';
import { cbcBlocks, decryptBlock, md5, rc4, sha256, sha384, sha512, unwrapKey } from './ciphers.ts';

/** What the standard security handler's dictionary says (ISO 32000-2 §7.6.4, Table 21). */
export interface StandardHandler {
  readonly revision: number;
  /** Of the file's key, in bytes. */
  readonly keyLength: number;
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly ownerKey: Uint8Array;
  readonly userKey: Uint8Array;
  readonly permissions: number;
  readonly sealedPermissions: Uint8Array;
  readonly encryptsMetadata: boolean;
  /** ID[0] of the trailer. */
  readonly id: Uint8Array;
}

export interface OpenedHandler {
  readonly key: Uint8Array;
  /** The owner's password was given: nothing is forbidden. */
  readonly isOwner: boolean;
}

const padding = Uint8Array.from(
  [...'28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a'.matchAll(/../g)].map(([hex]) => Number.parseInt(hex, 16)),
);

/** The file's key under a password, the empty one too; null: it is not the password. */
export function openHandler(handler: StandardHandler, password: string): OpenedHandler | null {
  return handler.revision >= 5 ? openNew(handler, password) : openOld(handler, password);
}

/** Revisions 2 to 4 (algorithms 2, 4 to 7). */
function openOld(handler: StandardHandler, password: string): OpenedHandler | null {
  const given = padded(latin1Bytes(password));
  const key = userKeyOf(handler, given);
  if (isUser(handler, key)) return { key, isOwner: false };
  const asUser = userKeyOf(handler, userPasswordOf(handler, given));
  return isUser(handler, asUser) ? { key: asUser, isOwner: true } : null;
}

function padded(password: Uint8Array): Uint8Array {
  const out = new Uint8Array(32);
  out.set(password.subarray(0, 32));
  out.set(padding.subarray(0, 32 - Math.min(32, password.length)), Math.min(32, password.length));
  return out;
}

/** Algorithm 2. */
function userKeyOf(handler: StandardHandler, password: Uint8Array): Uint8Array {
  const { revision, keyLength, permissions } = handler;
  const bits = Uint8Array.of(permissions, permissions >> 8, permissions >> 16, permissions >> 24);
  const plainMetadata = revision >= 4 && !handler.encryptsMetadata ? [255, 255, 255, 255] : [];
  let digest = md5(joined(password, handler.owner.subarray(0, 32), bits, handler.id, Uint8Array.from(plainMetadata)));
  if (revision >= 3) for (let round = 0; round < 50; round++) digest = md5(digest.subarray(0, keyLength));
  return digest.subarray(0, keyLength);
}

/** Algorithms 4 to 6: U is made again. */
function isUser(handler: StandardHandler, key: Uint8Array): boolean {
  if (handler.revision === 2) return same(rc4(key, padding), handler.user.subarray(0, 32));
  const made = layered(key, md5(joined(padding, handler.id)), 0, 1);
  return same(made, handler.user.subarray(0, 16));
}

/** Algorithm 7: the user's password is under the owner's in O. */
function userPasswordOf(handler: StandardHandler, owner: Uint8Array): Uint8Array {
  const { revision, keyLength } = handler;
  let digest = md5(owner);
  if (revision >= 3) for (let round = 0; round < 50; round++) digest = md5(digest);
  const key = digest.subarray(0, revision === 2 ? 5 : keyLength);
  const sealed = handler.owner.subarray(0, 32);
  return revision === 2 ? rc4(key, sealed) : layered(key, sealed, 19, -1);
}

/** RC4 twenty times over, each with the key changed by its number. */
function layered(key: Uint8Array, data: Uint8Array, from: number, step: 1 | -1): Uint8Array {
  let out = data;
  for (let count = 0, layer = from; count < 20; count++, layer += step)
    out = rc4(
      key.map((byte) => byte ^ layer),
      out,
    );
  return out;
}

/** Revisions 5 and 6 (algorithm 2.A). */
function openNew(handler: StandardHandler, password: string): OpenedHandler | null {
  const given = new TextEncoder().encode(password.normalize('NFKC')).subarray(0, 127);
  const hash = handler.revision === 5 ? (...parts: Uint8Array[]) => sha256(joined(...parts)) : hardened;
  const { owner, user } = handler;
  const own = user.subarray(0, 48);
  const none = new Uint8Array(0);
  const opened = (): OpenedHandler | null => {
    if (same(hash(given, owner.subarray(32, 40), own), owner.subarray(0, 32))) {
      return { key: unwrapKey(hash(given, owner.subarray(40, 48), own), handler.ownerKey), isOwner: true };
    }
    if (!same(hash(given, user.subarray(32, 40), none), user.subarray(0, 32))) return null;
    return { key: unwrapKey(hash(given, user.subarray(40, 48), none), handler.userKey), isOwner: false };
  };
  const result = opened();
  return result !== null && agrees(handler, result.key) ? result : null;
}

/** Algorithm 13: what Perms seals is what P says. */
function agrees(handler: StandardHandler, key: Uint8Array): boolean {
  const opened = decryptBlock(key, handler.sealedPermissions.subarray(0, 16));
  const { permissions } = handler;
  const stated = Uint8Array.of(permissions, permissions >> 8, permissions >> 16, permissions >> 24);
  return same(opened.subarray(0, 4), stated) && same(opened.subarray(9, 12), latin1Bytes('adb'));
}

/** Algorithm 2.B. */
function hardened(password: Uint8Array, salt: Uint8Array, user: Uint8Array): Uint8Array {
  let key = sha256(joined(password, salt, user));
  for (let round = 0; ; round++) {
    const once = joined(password, key, user);
    const repeated = new Uint8Array(once.length * 64);
    for (let i = 0; i < 64; i++) repeated.set(once, i * once.length);
    const sealed = cbcBlocks(key.subarray(0, 16), key.subarray(16, 32), repeated);
    const kind = sealed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = kind === 0 ? sha256(sealed) : kind === 1 ? sha384(sealed) : sha512(sealed);
    if (round >= 63 && (sealed.at(-1) ?? 0) <= round - 31) return key.subarray(0, 32);
  }
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
