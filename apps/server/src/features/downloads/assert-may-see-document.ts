import { DomainError } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { documentAccess } from '../documents/document-access.ts';
import { assertMaySee } from '../processes/reading/participation.ts';

/**
 * Its owner, and whoever may see the process that took it. A document in a process that others may see is not told from none.
 * @throws DomainError document.notFound, process.linkEnded
 */
export async function assertMaySeeDocument(ctx: Ctx, actor: Person | SignerLink, documentId: string): Promise<void> {
  const { ownerId, signatureProcessId } = await documentAccess(ctx, documentId);
  if (actor.kind === 'person' && ownerId === actor.userId) return;
  if (signatureProcessId === null) throw new DomainError('document.notFound');
  try {
    await assertMaySee(ctx, actor, signatureProcessId);
  } catch (error) {
    throw error instanceof DomainError && error.code === 'process.notFound' ? new DomainError('document.notFound') : error;
  }
}
