import type { getDownloadItems, Reply } from '@lavra/api';
import { canDownload, evidenceFileName, signedFileName } from '@lavra/domain';
import type { Person, SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { describeDocumentFile } from '../documents/document-file.ts';
import { signaturePageOf } from '../documents/signature-page.ts';
import { assertMaySee } from '../processes/reading/participation.ts';

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
  actor: Person | SignerLink,
  signatureProcessId: string,
): Promise<Reply<typeof getDownloadItems>> {
  const loaded = await assertMaySee(ctx, actor, signatureProcessId);
  const holder = actor.kind === 'signerLink' ? loaded.signers.find(({ id }) => id === actor.signerId) : undefined;
  const status = itemStatus[loaded.status];
  const available = canDownload(loaded);
  const report = loaded.evidenceReport;
  const files = await Promise.all(
    loaded.documents.map(async (document) => ({ document, file: available ? await describeDocumentFile(ctx, document.id) : null })),
  );
  return {
    title: loaded.title,
    available: available || report !== null,
    filesRemovedDate: loaded.filesRemovedAt?.toISOString() ?? null,
    langKey: holder?.langKey ?? null,
    items: [
      ...files.flatMap(({ document, file }) => {
        const page = signaturePageOf(document);
        const { id } = document;
        return [
          {
            id,
            kind: 'document' as const,
            documentId: id,
            name: signedFileName(document.name),
            uploadedName: document.name,
            size: file?.size ?? null,
            available,
            status,
          },
          ...(page
            ? [{ id: `page-${id}`, kind: 'page' as const, documentId: id, name: page.name, size: page.size, available, status }]
            : []),
        ];
      }),
      ...(report
        ? [
            {
              id: 'evidence',
              kind: 'evidence' as const,
              documentId: null,
              name: evidenceFileName(loaded.title),
              size: report.size,
              available: true,
              status,
            },
          ]
        : []),
    ],
  };
}
