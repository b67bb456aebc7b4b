import type { Issuer } from '../certificate-authority.ts';
import { createKeys, type RsaHash } from './authorities.ts';

/** Where an infrastructure takes its RSA keys from. */
export type KeySource = (hash: RsaHash) => Promise<Issuer['keys']>;

/**
 * Keys that are made once a process: every source that it gives begins again with the first key, so that any number of
 * infrastructures costs one's keys. Within one of them no key comes twice.
 */
export function keyPool(): () => KeySource {
  const made: Record<RsaHash, Promise<Issuer['keys']>[]> = { 'SHA-256': [], 'SHA-512': [] };
  return () => {
    const used: Record<RsaHash, number> = { 'SHA-256': 0, 'SHA-512': 0 };
    return (hash) => {
      const index = used[hash];
      used[hash] += 1;
      return (made[hash][index] ??= createKeys(hash));
    };
  };
}
