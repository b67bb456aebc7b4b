import { DomainError } from '@lavra/domain';
import { handedOverKey } from '../../../access/signer-links.store.ts';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { loadOwnProcess } from './participation.ts';
import { actOnProcess } from '../life/act-on-process.ts';
import { signerLink } from '../life/signer-link.ts';
import { takeOwnLink } from './take-own-link.ts';

/**
 * The actor's own signing page, or, for the owner, a link to hand over to one signer, who gives a code that is mailed to them: the
 * sender never has the link that stands in the mail. That it was handed out is part of the evidence.
 */
export async function getCurrentLink(
  ctx: Ctx,
  actor: Person,
  { signatureProcessId: id, signerId }: { signatureProcessId: string; signerId: string | undefined },
): Promise<{ link: string }> {
  if (signerId === undefined) return { link: signerLink(ctx, id, (await takeOwnLink(ctx, actor, id)).key) };
  const { signers, isOwner } = await loadOwnProcess(ctx, actor, id);
  const signer = signers.find((candidate) => candidate.id === signerId && isOwner);
  if (!signer) throw new DomainError('signer.notFound');
  const key = await ctx.transaction(async (tx) => {
    await actOnProcess(tx, id, { kind: 'handOutLink', signerId: signer.id, to: 'creator' });
    return handedOverKey(tx, signer.id);
  });
  return { link: signerLink(ctx, id, key) };
}
