/**
 * The port through which the engine digests and draws random bytes. Core code imports neither node:crypto nor a
 * browser global; `platformCrypto` finds whichever is there and is the default everywhere.
 */
export type DigestName = 'sha256' | 'sha384' | 'sha512';

export interface Hash {
  update(bytes: Uint8Array): void;
  digest(): Uint8Array | Promise<Uint8Array>;
}

export interface Crypto {
  createHash(name: DigestName): Hash;
  /** `length` cryptographically random bytes. */
  random(length: number): Uint8Array;
}

interface NodeCrypto {
  createHash(name: string): { update(bytes: Uint8Array): unknown; digest(): Uint8Array };
}

/** Node's streaming hashes where there is Node; Web Crypto (which has no streaming: bytes are gathered) elsewhere. */
export const platformCrypto: Crypto = {
  createHash: nodeHash() ?? webHash,
  random: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
};

function nodeHash(): Crypto['createHash'] | null {
  const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  const node = host.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (node === undefined) return null;
  return (name) => {
    const hash = node.createHash(name);
    return {
      update: (bytes) => void hash.update(bytes),
      digest: () => new Uint8Array(hash.digest()),
    };
  };
}

function webHash(name: DigestName): Hash {
  const parts: Uint8Array[] = [];
  return {
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
export async function digestOf(crypto: Crypto, name: DigestName, bytes: Uint8Array): Promise<Uint8Array> {
  const hash = crypto.createHash(name);
  hash.update(bytes);
  return hash.digest();
}
