import { Readable } from 'node:stream';
import { signedFileName } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { type ZipEntry, zipStream } from '../../storage/zip-stream.ts';
import { findDataSubject, readPersonalAccount } from '../accounts/personal-account.ts';
import { readMembership } from '../companies/personal-membership.ts';
import { openDocumentFile, streamedDocument } from '../documents/document-file.ts';
import { loadProcess } from '../processes/load-process.ts';
import { type DataSubject, listIdsAbout, listSignersOf } from '../processes/life/personal-processes.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { readModels } from '../signature-models/personal-models.ts';
import { listActsOf } from '../signing/personal-evidence.ts';
import { aboutProcess } from './about-process.ts';

/**
 * What is kept of an account's person, for them to have: a note that says what is in it and what stays when it is erased, the data as
 * JSON, and the files that are theirs. Of others it says what they themselves entered, and no more than they may see in their lists.
 * @throws DomainError request.notFound, user.erased
 */
export async function exportPersonalData(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<Readable> {
  const subject = await findDataSubject(ctx, accountId);
  const ids = await listIdsAbout(ctx, subject);
  await recordAudit(ctx, {
    kind: 'account.exported',
    outcome: 'success',
    accountId: actor.userId,
    subjectId: subject.id,
    ip: actor.from.ip,
  });
  return Readable.from(zipStream(entriesOf(ctx, subject, ids)), { objectMode: false, highWaterMark: 256 * 1024 });
}

async function* entriesOf(
  ctx: Ctx,
  subject: DataSubject & { langKey: Person['langKey'] },
  ids: readonly string[],
): AsyncGenerator<ZipEntry> {
  const note = ctx.translate(subject.langKey, 'personalData.readme', { email: subject.email });
  yield entry(`${ctx.translate(subject.langKey, 'personalData.readmeName')}.txt`, text(note));
  yield entry('dados.json', dataOf(ctx, subject, ids));
  const acts = await listActsOf(ctx, await listSignersOf(ctx, subject));
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
async function* dataOf(ctx: Ctx, subject: DataSubject, ids: readonly string[]): AsyncGenerator<Uint8Array> {
  const [account, membership, signatureModels, acts] = await Promise.all([
    readPersonalAccount(ctx, subject),
    readMembership(ctx, subject),
    readModels(ctx, subject.id),
    listActsOf(ctx, await listSignersOf(ctx, subject)),
  ]);
  const whole = { exportedAt: ctx.clock.now(), ...account, ...membership, signatureModels };
  yield* text(`${JSON.stringify(whole, null, 2).slice(0, -2)},\n  "processes": [`);
  for (const [index, id] of ids.entries())
    yield* text(`${index === 0 ? '' : ','}\n${JSON.stringify(await aboutProcess(ctx, subject, id, acts), null, 2)}`);
  yield* text('\n  ]\n}\n');
}
