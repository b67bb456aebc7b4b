import { DomainError, limits, linkOpensDocuments } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person, SignerLink } from '../../../access/actor.ts';
import { type LoadedProcess, loadProcess } from '../load-process.ts';

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
  const isOwner = loaded.row.owner_id === actor.userId;
  const own = loaded.signers.filter((signer) => signer.user_id === actor.userId && signer.status !== 'WAITING');
  if (loaded.row.status === 'DRAFT' || (!isOwner && own.length === 0)) throw new DomainError('process.notFound');
  return { ...loaded, isOwner, own };
}

/** The process, for whoever may have its files: its owner, and its signers by session or by link. @throws DomainError process.notFound, process.linkEnded */
export async function assertMaySee(ctx: Ctx, actor: Person | SignerLink, signatureProcessId: string): Promise<LoadedProcess> {
  if (actor.kind === 'person') return loadOwnProcess(ctx, actor, signatureProcessId);
  const loaded = await loadProcess(ctx, signatureProcessId);
  if (loaded.row.status === 'DRAFT' || !loaded.signers.some((signer) => signer.id === actor.signerId))
    throw new DomainError('process.notFound');
  const { status, finalized_at: finalizedAt } = loaded.row;
  if (!linkOpensDocuments({ status, finalizedAt }, ctx.clock.now()))
    throw new DomainError('process.linkEnded', { params: { days: limits.endedLinkDays } });
  return loaded;
}
