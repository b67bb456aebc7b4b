import { Readable } from 'node:stream';
import { DomainError } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import type { StreamedFile } from '../../storage/streamed-file.ts';
import { zipNames } from '../../storage/zip-names.ts';
import { zipStream } from '../../storage/zip-stream.ts';
import { downloadEvidence } from './download-evidence.ts';
import { downloadSignaturePage } from './download-signature-page.ts';
import { downloadSigned } from './download-signed.ts';

/**
 * The chosen items as a zip stream (stored, not packed: PDFs hardly shrink). Everything is looked up before
 * the first byte goes out.
 * @throws DomainError document.nothingSelected and what the items themselves refuse
 */
export async function zipSelection(
  ctx: Ctx,
  actor: Person | SignerLink,
  { signatureProcessId, items }: { signatureProcessId: string; items: readonly string[] },
): Promise<Readable> {
  const chosen = [...new Set(items)].filter((item) => item !== '');
  if (chosen.length === 0) throw new DomainError('document.nothingSelected');
  const files: StreamedFile[] = [];
  for (const item of chosen) files.push(await fileOf(ctx, actor, signatureProcessId, item));
  const names = zipNames(files.map(({ name }) => name));
  return Readable.from(zipStream(files.map(({ size, stream }, index) => ({ name: names[index] ?? '', size, content: stream(0, size) }))), {
    objectMode: false,
    highWaterMark: 256 * 1024,
  });
}

function fileOf(ctx: Ctx, actor: Person | SignerLink, signatureProcessId: string, item: string): Promise<StreamedFile> {
  if (item === 'evidence') return downloadEvidence(ctx, actor, signatureProcessId);
  const [, pageOf] = /^page-(.+)$/.exec(item) ?? [];
  if (pageOf !== undefined) return downloadSignaturePage(ctx, actor, { signatureProcessId, documentId: pageOf });
  return downloadSigned(ctx, actor, { signatureProcessId, documentId: item });
}
