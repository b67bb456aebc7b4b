import type { Ctx } from '../../../context.ts';
import { type CorrectedSigner, correctContact } from '../inbox.store.ts';

export type { CorrectedSigner };

/** Writes who a signer is after a correction; another address is another person's, who is bound by it as any other is. */
export function rewriteSigner(tx: Ctx, signerId: string, signer: CorrectedSigner): Promise<void> {
  return correctContact(tx, signerId, signer);
}
