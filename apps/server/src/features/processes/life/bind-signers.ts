import type { ProvenAddress, Tx } from '../../../context.ts';
import * as store from '../inbox.store.ts';

/**
 * Whoever was invited by an address becomes the account's that proves it: at its activation, and at each sign-in, for what was
 * sent meanwhile by a node that knew of no binding. From then on the address may change, and change hands; the signer stays.
 */
export function bindSigners(tx: Tx, account: ProvenAddress): Promise<void> {
  return store.bindSigners(tx, account);
}
