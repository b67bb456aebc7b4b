import type { generateEvidencePage as call, Reply } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { assertMaySee } from '../processes/reading/participation.ts';

/**
 * The id of a process's evidence report, as its downloads name it. The report is made and sealed with the end of the process, once:
 * asking again changes nothing.
 * @throws DomainError process.notFound, process.linkEnded, document.notFinished
 */
export async function generateEvidencePage(ctx: Ctx, actor: Person | SignerLink, signatureProcessId: string): Promise<Reply<typeof call>> {
  const { evidenceReport } = await assertMaySee(ctx, actor, signatureProcessId);
  if (!evidenceReport) throw new DomainError('document.notFinished');
  return { id: 'evidence' };
}
