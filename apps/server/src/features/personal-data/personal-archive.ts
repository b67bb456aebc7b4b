import { Readable } from 'node:stream';
import { signedFileName } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { type ZipEntry, zipStream } from '../../storage/zip-stream.ts';
import { openDocumentFile, streamedDocument } from '../documents/document-file.ts';
import { type DataSubject, listIdsAbout, listSignersOf } from '../processes/life/personal-processes.ts';
import { loadProcess } from '../processes/load-process.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { listActsOf } from '../signing/personal-evidence.ts';
import { aboutProcess } from './about-process.ts';

/** Whose data, in whose language the note is, and what is kept beside processes: of an account, or of an address alone. */
export interface AskedData {
  subject: DataSubject;
  langKey: Person['langKey'];
  kept: Readonly<Record<string, unknown>>;
}

/** One ZIP: a note that says what is in it and what stays on erasure, the data as JSON, and the files that are theirs. */
export async function personalArchive(ctx: Ctx, asked: AskedData): Promise<Readable> {
  const ids = await listIdsAbout(ctx, asked.subject);
  return Readable.from(zipStream(entriesOf(ctx, asked, ids)), { objectMode: false, highWaterMark: 256 * 1024 });
}

async function* entriesOf(ctx: Ctx, { subject, langKey, kept }: AskedData, ids: readonly string[]): AsyncGenerator<ZipEntry> {
  const note = ctx.translate(langKey, 'personalData.readme', { email: subject.email });
  yield entry(`${ctx.translate(langKey, 'personalData.readmeName')}.txt`, text(note));
  const acts = await listActsOf(ctx, await listSignersOf(ctx, subject));
  yield entry('dados.json', dataOf(ctx, { subject, kept, acts }, ids));
  const pictures = new Map(
    acts.flatMap(({ imageHash, imageContentType: type }) => (imageHash === null ? [] : [[imageHash, type] as const])),
  );
  for (const [hash, type] of pictures) yield entry(`assinaturas/${hash}.${type === 'image/jpeg' ? 'jpg' : 'png'}`, ctx.storage.read(hash));
  for (const id of ids) {
    const loaded = await loadProcess(ctx, id);
    if (loaded.ownerId !== subject.id) continue;
    yield* filesOf(ctx, loaded);
  }
}

const entry = (name: string, content: AsyncIterable<Uint8Array>, size: number | null = null): ZipEntry => ({ name, size, content });

async function* text(value: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(value, 'utf8');
}

/** The documents that they sent, as they stand, and the evidence report. */
async function* filesOf(ctx: Ctx, loaded: LoadedProcess): AsyncGenerator<ZipEntry> {
  const folder = `processos/${loaded.id}`;
  if (loaded.filesRemovedAt === null)
    for (const [position, { id }] of loaded.documents.entries()) {
      const file = await openDocumentFile(ctx, id);
      const { size, stream } = streamedDocument(ctx, file, file.name);
      const name = loaded.status === 'FINALIZED_WITH_SUCCESS' ? signedFileName(file.name) : file.name;
      yield entry(`${folder}/${position + 1} ${name.replace(/[\\/]/g, '_')}`, stream(0, size), size);
    }
  const { evidenceReport } = loaded;
  if (evidenceReport) yield entry(`${folder}/evidencias.pdf`, ctx.storage.read(evidenceReport.hash), evidenceReport.size);
}

/** One JSON document, written as it is read: an account may have sent a hundred thousand processes. */
async function* dataOf(
  ctx: Ctx,
  { subject, kept, acts }: Pick<AskedData, 'subject' | 'kept'> & { acts: Awaited<ReturnType<typeof listActsOf>> },
  ids: readonly string[],
): AsyncGenerator<Uint8Array> {
  yield* text(`${JSON.stringify({ exportedAt: ctx.clock.now(), ...kept }, null, 2).slice(0, -2)},\n  "processes": [`);
  for (const [index, id] of ids.entries())
    yield* text(`${index === 0 ? '' : ','}\n${JSON.stringify(await aboutProcess(ctx, subject, id, acts), null, 2)}`);
  yield* text('\n  ]\n}\n');
}
