import type { getDownloadItems, Reply } from '@lavra/api';
import { canDownload, DomainError, signedFileName } from '@lavra/domain';
import { recordDownload } from '../../audit/record-download.ts';
import type { Ctx } from '../../context.ts';
import type { Actor } from '../../access/actor.ts';
import { assertMaySee } from '../processes/reading/participation.ts';
import { documentAccess } from '../documents/document-access.ts';
import { signaturePageOf, type StoredFile } from '../documents/signature-page.ts';
import { describeDocumentFile, type DocumentFile, openDocumentFile } from '../documents/document-file.ts';

/** The file as it stands, for whoever may read it: owner, participant by session, or signer by capability. */
export async function openViewed(ctx: Ctx, actor: Actor | null, documentId: string, capability: string | undefined): Promise<DocumentFile> {
  await assertMaySeeDocument(ctx, actor, documentId, capability);
  return openDocumentFile(ctx, documentId);
}

/** The uploaded original. */
export async function openOriginal(
  ctx: Ctx,
  actor: Actor | null,
  documentId: string,
  capability: string | undefined,
): Promise<DocumentFile> {
  await assertMaySeeDocument(ctx, actor, documentId, capability);
  const file = await openDocumentFile(ctx, documentId, 'original');
  await recordDownload(ctx, actor, capability, 'original', file.documentId);
  return file;
}

async function assertMaySeeDocument(ctx: Ctx, actor: Actor | null, documentId: string, capability: string | undefined): Promise<void> {
  const { ownerId, signatureProcessId } = await documentAccess(ctx, documentId);
  if (actor && ownerId === actor.userId) return;
  if (signatureProcessId === null) throw new DomainError('document.notFound');
  await assertMaySee(ctx, actor, signatureProcessId, capability);
}

/** The signed file of a process that finished with success. @throws DomainError document.notFinished, document.notFound */
export async function openSigned(
  ctx: Ctx,
  actor: Actor | null,
  signatureProcessId: string,
  documentId: string,
  capability: string | undefined,
): Promise<DocumentFile> {
  const { row, documents } = await assertMaySee(ctx, actor, signatureProcessId, capability);
  if (!documents.some((document) => document.id === documentId)) throw new DomainError('document.notFound');
  if (!canDownload(row)) throw new DomainError('document.notFinished');
  const file = await openDocumentFile(ctx, documentId);
  await recordDownload(ctx, actor, capability, 'signed', file.documentId);
  return file;
}

/** The separate signature page of a document that came with signatures. @throws DomainError document.notFinished, document.notFound */
export async function openSignaturePage(
  ctx: Ctx,
  actor: Actor | null,
  signatureProcessId: string,
  documentId: string,
  capability: string | undefined,
): Promise<StoredFile> {
  const { documents } = await assertMaySee(ctx, actor, signatureProcessId, capability);
  const document = documents.find(({ id }) => id === documentId);
  if (!document) throw new DomainError('document.notFound');
  const page = signaturePageOf(document);
  // Documents that have their page in themselves get none.
  if (!page) throw new DomainError(document.page_apart ? 'document.notFinished' : 'document.notFound');
  await ctx.storage.check(page.hash);
  await recordDownload(ctx, actor, capability, 'page', document.id);
  return page;
}

export async function openEvidenceReport(
  ctx: Ctx,
  actor: Actor | null,
  signatureProcessId: string,
  capability: string | undefined,
): Promise<StoredFile> {
  const { row } = await assertMaySee(ctx, actor, signatureProcessId, capability);
  if (!row.evidence_report_hash || !row.evidence_report_size) throw new DomainError('document.notFinished');
  await ctx.storage.check(row.evidence_report_hash);
  await recordDownload(ctx, actor, capability, 'evidence', row.id);
  return { name: `evidencias-${row.id}.pdf`, hash: row.evidence_report_hash, size: Number(row.evidence_report_size) };
}

const itemStatus = {
  DRAFT: 'IN_PROGRESS',
  IN_PROGRESS: 'IN_PROGRESS',
  FINALIZED_WITH_SUCCESS: 'SIGNED',
  FINALIZED_BY_REJECTION: 'REJECTED',
  FINALIZED_BY_EXPIRATION: 'EXPIRED',
  CREATOR_CANCELED: 'CANCELED',
} as const;

/** The download page's list: the signed documents, each with its separate signature page where it has one, and the evidence report. */
export async function listDownloadItems(
  ctx: Ctx,
  actor: Actor | null,
  signatureProcessId: string,
  capability: string | undefined,
): Promise<Reply<typeof getDownloadItems>> {
  const { row, documents } = await assertMaySee(ctx, actor, signatureProcessId, capability);
  const status = itemStatus[row.status];
  const available = canDownload(row);
  const files = await Promise.all(
    documents.map(async (document) => ({ document, file: available ? await describeDocumentFile(ctx, document.id) : null })),
  );
  return {
    title: row.title,
    available,
    items: [
      ...files.flatMap(({ document, file }) => {
        const page = signaturePageOf(document);
        const { id } = document;
        return [
          { id, kind: 'document' as const, documentId: id, name: signedFileName(document.name), size: file?.size ?? null, status },
          ...(page ? [{ id: `page-${id}`, kind: 'page' as const, documentId: id, name: page.name, size: page.size, status }] : []),
        ];
      }),
      ...(row.evidence_report_hash
        ? [
            {
              id: 'evidence',
              kind: 'evidence' as const,
              documentId: null,
              name: `evidencias-${row.id}.pdf`,
              size: Number(row.evidence_report_size),
              status,
            },
          ]
        : []),
    ],
  };
}
