import type { Ctx } from '../../../context.ts';
import type { Locale } from '../../../language/translator.ts';
import { changeLanguage, type CorrectedSigner, correctContact } from '../inbox.store.ts';

export type { CorrectedSigner };

/** Writes who a signer is after a correction; another address is another person's, who is bound by it as any other is. */
export function rewriteSigner(tx: Ctx, signerId: string, signer: CorrectedSigner): Promise<void> {
  return correctContact(tx, signerId, signer);
}

/** The language in which a signer is written to; false when they have acted. */
export function rewriteLanguage(tx: Ctx, signerId: string, langKey: Locale): Promise<boolean> {
  return changeLanguage(tx, signerId, langKey);
}
