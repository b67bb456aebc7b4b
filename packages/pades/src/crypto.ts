/**
 * The port through which the engine digests and draws random bytes. Core code imports neither node:crypto nor a
 * browser global; `platformCrypto` finds whichever is there and is the default everywhere.
 */
export type DigestName = 'sha256' | 'sha384' | 'sha512';

/** Digests that are read in what others signed and never written; SHAKE256 with 64 bytes, as Ed448 uses it (RFC 8419). */
export type HashName = DigestName | 'sha1' | 'sha224' | 'shake256';

/** A digest being made, piece by piece. */
export interface Hash {
  update(bytes: Uint8Array): void;
  /** The state so far, to go on from in two ways. */
  copy(): Hash;
  digest(): Uint8Array | Promise<Uint8Array>;
}

/** Digests and randomness, as the engine asks for them. */
export interface Crypto {
  createHash(name: HashName): Hash;
  /** `length` cryptographically random bytes. */
  random(length: number): Uint8Array;
}

interface NodeHash {
  update(bytes: Uint8Array): unknown;
  copy(options?: { outputLength: number }): NodeHash;
  digest(): Uint8Array;
}

interface NodeCrypto {
  createHash(name: string, options?: { outputLength: number }): NodeHash;
}

/** Node's streaming hashes where there is Node; Web Crypto (which has no streaming: bytes are gathered) elsewhere. */
export const platformCrypto: Crypto = {
  createHash: nodeHash() ?? ((name) => webHash(name)),
  random: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
};

function nodeHash(): Crypto['createHash'] | null {
  const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  const node = host.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (node === undefined) return null;
  return (name) => {
    // Node forgets the length when it copies: it is said again.
    const options = name === 'shake256' ? { outputLength: 64 } : undefined;
    return wrapNode(node.createHash(name, options), options);
  };
}

function wrapNode(hash: NodeHash, options?: { outputLength: number }): Hash {
  return {
    update: (bytes) => void hash.update(bytes),
    copy: () => wrapNode(hash.copy(options), options),
    digest: () => new Uint8Array(hash.digest()),
  };
}

/**
 * A `Crypto` whose hashes stream: `platformCrypto` in Node; in a browser, where Web Crypto cannot, the digests of
 * @noble/hashes, fetched when first asked for. Files of any size are verified without holding them.
 */
export async function streamingCrypto(): Promise<Crypto> {
  if (nodeHash() !== null) return platformCrypto;
  const [{ sha224, sha256, sha384, sha512 }, { sha1 }, { shake256 }] = await Promise.all([
    import('@noble/hashes/sha2.js'),
    import('@noble/hashes/legacy.js'),
    import('@noble/hashes/sha3.js'),
  ]);
  const makers = { sha1, sha224, sha256, sha384, sha512, shake256: { create: () => shake256.create({ dkLen: 64 }) } };
  return { ...platformCrypto, createHash: (name) => wrapNoble(makers[name].create()) };
}

interface NobleHash {
  update(bytes: Uint8Array): unknown;
  clone(): NobleHash;
  digest(): Uint8Array;
}

function wrapNoble(hash: NobleHash): Hash {
  return {
    update: (bytes) => void hash.update(bytes),
    copy: () => wrapNoble(hash.clone()),
    digest: () => hash.digest(),
  };
}

function webHash(name: HashName, gathered: readonly Uint8Array[] = []): Hash {
  const parts: Uint8Array[] = [...gathered];
  return {
    copy: () => webHash(name, parts),
    update: (bytes) => void parts.push(bytes.slice()),
    async digest() {
      const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      const algorithm = name.replace('sha', 'SHA-');
      return new Uint8Array(await globalThis.crypto.subtle.digest(algorithm, whole));
    },
  };
}

/** Digest of one buffer. */
export async function digestOf(crypto: Crypto, name: HashName, bytes: Uint8Array): Promise<Uint8Array> {
  const hash = crypto.createHash(name);
  hash.update(bytes);
  return hash.digest();
}
