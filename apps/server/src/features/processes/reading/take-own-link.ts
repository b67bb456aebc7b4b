import { DomainError } from '@lavra/domain';
import { mailedKeys } from '../../../access/signer-links.store.ts';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { actOnProcess } from '../life/act-on-process.ts';
import { isOwnLinkTold } from '../processes.store.ts';
import { loadOwnProcess } from './participation.ts';

/**
 * The key of the actor's own link, whom the process invited: of the one whose turn it is, where they are several. That a session took
 * it is part of the evidence.
 * @throws DomainError process.notFound, signer.notFound
 */
export async function takeOwnLink(ctx: Ctx, actor: Person, signatureProcessId: string): Promise<{ signerId: string; key: string }> {
  const { own } = await loadOwnProcess(ctx, actor, signatureProcessId);
  const signer = own.find(({ status }) => status === 'SENT') ?? own[0];
  if (!signer) throw new DomainError('signer.notFound');
  // Told once: whoever asked without end would make the log, and the report that tells it, as long as they like.
  const isTold = await isOwnLinkTold(ctx, signatureProcessId, signer.id);
  const key = await ctx.transaction(async (tx) => {
    if (!isTold) await actOnProcess(tx, signatureProcessId, { kind: 'handOutLink', signerId: signer.id, to: 'signer-session' });
    const ownKey = (await mailedKeys(tx, [signer.id])).get(signer.id);
    // Corrected meanwhile, the signer is another person, and the link theirs.
    const still = await loadOwnProcess(tx, actor, signatureProcessId);
    if (!still.own.some(({ id }) => id === signer.id)) throw new DomainError('signer.notFound');
    return ownKey;
  });
  if (key === undefined) throw new DomainError('signer.notFound');
  return { signerId: signer.id, key };
}
