import { DomainError } from '@lavra/domain';
import { handedOverKey, mailedKeys } from '../../../access/signer-links.store.ts';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { loadOwnProcess } from './participation.ts';
import { actOnProcess } from '../life/act-on-process.ts';
import { signerLink } from '../life/signer-link.ts';
import { isOwnLinkTold } from '../processes.store.ts';

/**
 * The actor's own signing page, or, for the owner, a link to hand over to one signer, who gives a code that is mailed to them: the
 * sender never has the link that stands in the mail. That it was handed out is part of the evidence.
 */
export async function getCurrentLink(
  ctx: Ctx,
  actor: Person,
  { signatureProcessId: id, signerId }: { signatureProcessId: string; signerId: string | undefined },
): Promise<{ link: string }> {
  const { signers, own, isOwner } = await loadOwnProcess(ctx, actor, id);
  const signer =
    signerId === undefined
      ? (own.find(({ status }) => status === 'SENT') ?? own[0])
      : signers.find((candidate) => candidate.id === signerId && isOwner);
  if (!signer) throw new DomainError('signer.notFound');
  const to = signerId === undefined ? 'signer-session' : 'creator';
  // Told once: whoever asked without end would make the log, and the report that tells it, as long as they like.
  const isTold = to === 'signer-session' && (await isOwnLinkTold(ctx, id, signer.id));
  const key = await ctx.transaction(async (tx) => {
    if (!isTold) await actOnProcess(tx, id, { kind: 'handOutLink', signerId: signer.id, to });
    return to === 'creator' ? handedOverKey(tx, signer.id) : (await mailedKeys(tx, [signer.id])).get(signer.id);
  });
  if (key === undefined) throw new DomainError('signer.notFound');
  return { link: signerLink(ctx, id, key) };
}
