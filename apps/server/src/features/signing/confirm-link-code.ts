import { DomainError, limits } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import { insertLink, tryLinkCode, useLinkCode } from '../../access/signer-links.store.ts';
import type { Ctx } from '../../context.ts';
import { actOnProcess } from '../processes/life/act-on-process.ts';
import { processIdOfSigner } from '../processes/load-process.ts';
import { linkCodeHash } from './ask-link-code.ts';

/**
 * Takes the code that was mailed for a link which the sender handed over, and gives a link that only its holder knows.
 * @throws DomainError signer.notFound, signer.codeWrong: also one that is too old or was tried too often
 */
export async function confirmLinkCode(ctx: Ctx, { key, signerId, channel, from }: SignerLink, code: string): Promise<{ user: string }> {
  if (channel !== 'handedOver') throw new DomainError('signer.notFound');
  const id = await processIdOfSigner(ctx, signerId);
  const hash = linkCodeHash(key, code.replace(/\D/g, ''));
  const wrong = () => new DomainError('signer.codeWrong', { field: 'code' });
  // Counted before it is compared, and for itself: a try that fails counts too.
  if ((await tryLinkCode(ctx, key, limits.linkCodeTries)) !== hash) throw wrong();
  const user = await ctx.transaction(async (tx) => {
    // In the order of a correction, which would wait for us as we for it: the process, then its signer's links.
    await actOnProcess(tx, id, { kind: 'confirmLink', signerId, facts: { ip: from.ip } });
    if (!(await useLinkCode(tx, key, hash))) throw wrong();
    return insertLink(tx, signerId, 'confirmed');
  });
  return { user };
}
