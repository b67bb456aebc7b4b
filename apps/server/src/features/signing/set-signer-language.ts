import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import type { Locale } from '../../language/translator.ts';
import { processIdOfSigner } from '../processes/load-process.ts';
import { rewriteLanguage } from '../processes/life/rewrite-signer.ts';
import { assertLinkOpen } from './assert-link-open.ts';

/**
 * A signer reads on in another language than the sender chose for the process: from now on the sentence that they agree to and their
 * mails are in it. The papers stay in the process's own.
 * @throws DomainError signer.notFound; signer.alreadySigned, for whoever has acted: what they agreed to is written
 */
export async function setSignerLanguage(ctx: Ctx, actor: SignerLink, langKey: Locale): Promise<void> {
  await processIdOfSigner(ctx, actor.signerId);
  await ctx.transaction(async (tx) => {
    if (!(await rewriteLanguage(tx, actor.signerId, langKey))) throw new DomainError('signer.alreadySigned');
    await assertLinkOpen(tx, actor);
  });
}
