import { DomainError } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { assertLinkOpen } from './assert-link-open.ts';
import { actOnProcess } from '../processes/life/act-on-process.ts';
import { processIdOfSigner } from '../processes/load-process.ts';

/**
 * Notes that a signer opened the documents: the first time only, and only while they are being waited for. Whoever reads a
 * process that has ended, or before their turn, changes nothing of its evidence.
 * @throws DomainError signer.notFound, also for a draft: nobody was invited to it
 */
export async function registerOpened(ctx: Ctx, actor: SignerLink): Promise<void> {
  const { signerId, from, channel } = actor;
  const signatureProcessId = await processIdOfSigner(ctx, signerId);
  await ctx.transaction(async (tx) => {
    await actOnProcess(tx, signatureProcessId, ({ status }) => {
      if (status === 'DRAFT') throw new DomainError('signer.notFound');
      return { kind: 'open', signerId, facts: { ip: from.ip, link: channel } };
    });
    await assertLinkOpen(tx, actor);
  });
}
