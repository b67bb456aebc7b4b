import { Readable } from 'node:stream';
import { DomainError, signedFileName } from '@lavra/domain';
import { Zip, ZipPassThrough } from 'fflate';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../access/actor.ts';
import { streamDocumentFile } from '../documents/document-file.ts';
import { openEvidenceReport, openSignaturePage, openSigned } from './downloads.ts';

interface Entry {
  name: string;
  content(): AsyncIterable<Uint8Array>;
}

/**
 * The chosen items as a zip stream (stored, not packed: PDFs hardly shrink). Everything is looked up before
 * the first byte goes out.
 * @throws DomainError document.nothingSelected and what the items themselves refuse
 */
export async function zipSelection(
  ctx: Ctx,
  actor: Actor | null,
  signatureProcessId: string,
  items: readonly string[],
  capability: string | undefined,
): Promise<Readable> {
  const chosen = [...new Set(items)].filter((item) => item !== '');
  if (chosen.length === 0) throw new DomainError('document.nothingSelected');
  const entries: Entry[] = [];
  for (const item of chosen) {
    const [, pageOf] = /^page-(.+)$/.exec(item) ?? [];
    if (item === 'evidence' || pageOf !== undefined) {
      const { name, hash } =
        pageOf === undefined
          ? await openEvidenceReport(ctx, actor, signatureProcessId, capability)
          : await openSignaturePage(ctx, actor, signatureProcessId, pageOf, capability);
      entries.push({ name, content: () => ctx.storage.read(hash) });
      continue;
    }
    const file = await openSigned(ctx, actor, signatureProcessId, item, capability);
    entries.push({ name: signedFileName(file.name), content: () => streamDocumentFile(ctx, file) });
  }
  return Readable.from(zipped(entries), { objectMode: false, highWaterMark: 256 * 1024 });
}

async function* zipped(entries: readonly Entry[]): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  for (const entry of entries) {
    const file = new ZipPassThrough(entry.name);
    zip.add(file);
    for await (const chunk of entry.content()) {
      file.push(chunk);
      yield* ready;
      ready = [];
    }
    file.push(new Uint8Array(0), true);
    yield* ready;
    ready = [];
  }
  zip.end();
  yield* ready;
}
