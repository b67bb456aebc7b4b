import { DomainError, evidenceFileName } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import { storedFile, type StreamedFile } from '../../storage/streamed-file.ts';
import { assertMaySee } from '../processes/reading/participation.ts';

/** The evidence report of a process that finished with success. @throws DomainError document.notFinished */
export async function downloadEvidence(ctx: Ctx, actor: Person | SignerLink, signatureProcessId: string): Promise<StreamedFile> {
  const { id, title, evidenceReport } = await assertMaySee(ctx, actor, signatureProcessId);
  if (!evidenceReport) throw new DomainError('document.notFinished');
  await ctx.storage.check(evidenceReport.hash);
  await recordDownload(ctx, actor, { what: 'evidence', subjectId: id });
  return storedFile(ctx, { name: evidenceFileName(title), ...evidenceReport });
}
