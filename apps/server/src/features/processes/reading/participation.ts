import { canView, DomainError, limits, linkOpensDocuments } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person, SignerLink } from '../../../access/actor.ts';
import { loadProcess } from '../load-process.ts';
import type { LoadedProcess } from '../signature-process.ts';

/**
 * The process, for its owner or one of its invited signers.
 * @throws DomainError process.notFound: somebody else's process does not exist for the actor
 */
export async function loadOwnProcess(
  ctx: Ctx,
  actor: Person,
  id: string,
): Promise<LoadedProcess & { isOwner: boolean; own: LoadedProcess['signers'] }> {
  const loaded = await loadProcess(ctx, id);
  const isOwner = loaded.ownerId === actor.userId;
  const own = loaded.signers.filter((signer) => signer.userId === actor.userId && signer.status !== 'WAITING');
  const facts = { status: loaded.status, currentIsOwner: isOwner, currentIsInvited: own.length > 0 };
  if (!canView(facts)) throw new DomainError('process.notFound');
  return { ...loaded, isOwner, own };
}

/** The process, for whoever may have its files: its owner, and its signers by session or by link. @throws DomainError process.notFound, process.linkEnded */
export async function assertMaySee(ctx: Ctx, actor: Person | SignerLink, signatureProcessId: string): Promise<LoadedProcess> {
  if (actor.kind === 'person') return loadOwnProcess(ctx, actor, signatureProcessId);
  const loaded = await loadProcess(ctx, signatureProcessId);
  if (loaded.status === 'DRAFT' || !loaded.signers.some((signer) => signer.id === actor.signerId))
    throw new DomainError('process.notFound');
  if (!linkOpensDocuments(loaded, ctx.clock.now())) throw new DomainError('process.linkEnded', { params: { days: limits.endedLinkDays } });
  return loaded;
}
