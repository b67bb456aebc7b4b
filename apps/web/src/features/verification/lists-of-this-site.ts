import { revocationListKey } from '@lavra/api';
import type { ListAt } from '@lavra/pades';

/** A list that this site hands out, and where. */
export interface OfferedList {
  /** `revocationListKey`. */
  key: string;
  address: string;
}

/** Of one file: a dozen authorities, twice over. What is beyond stays unknown, and is told as that. */
const MAX_LISTS = 24;
const MAX_BYTES = 96 * 1024 * 1024;
/** A list may have megabytes; all of them together wait no longer. */
const LISTS_MS = 60_000;

/**
 * The lists of issuers for a file that carries none, from this site alone and without a session. By keys that it has told: nothing
 * of the file is sent, nor whose signature it is.
 */
export function listsOfThisSite(offered: readonly OfferedList[]): ListAt {
  const addresses = new Map(offered.map(({ key, address }) => [key, address]));
  let signal: AbortSignal | undefined;
  let lists = 0;
  let room = MAX_BYTES;
  return async (url, issuer) => {
    const address = addresses.get(await revocationListKey(issuer, url));
    if (address === undefined || lists >= MAX_LISTS || room <= 0) return null;
    lists += 1;
    // Large files are read for longer than that before anybody asks.
    signal ??= AbortSignal.timeout(LISTS_MS);
    const found = await fetch(address, { credentials: 'omit', signal });
    const list = found.ok ? new Uint8Array(await found.arrayBuffer()) : null;
    room -= list?.length ?? 0;
    return room < 0 ? null : list;
  };
}
