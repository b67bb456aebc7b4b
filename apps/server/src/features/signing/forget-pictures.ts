import type { Ctx } from '../../context.ts';
import * as store from './signing.store.ts';

/** The pictures of the signatures of a process are kept no longer; their hashes are. Call inside the transaction that writes it into its log. */
export function forgetPictures(tx: Ctx, signatureProcessId: string): Promise<void> {
  return store.forgetPictures(tx, signatureProcessId);
}
