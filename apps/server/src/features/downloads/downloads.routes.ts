import * as api from '@lavra/api';
import { signedFileName } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { Routes } from '../../http/app.ts';
import { sendFile, storedFileAnswer } from '../../http/file-reply.ts';
import { route } from '../../http/route.ts';
import { type DocumentFile, streamDocumentFile } from '../documents/document-file.ts';
import { listDownloadItems, openEvidenceReport, openOriginal, openSignaturePage, openSigned, openViewed } from './downloads.ts';
import { zipSelection } from './zip-selection.ts';

export const downloadRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.viewDocument, async (c, { actor, params, query, request, reply }) => {
    const file = await openViewed(c, actor, params.documentId, query.user);
    sendFile(request, reply, pdfAnswer(c, file, file.name, 'inline'));
  });
  route(app, ctx, api.downloadOriginal, async (c, { actor, params, query, request, reply }) => {
    const file = await openOriginal(c, actor, params.id, query.user);
    sendFile(request, reply, pdfAnswer(c, file, file.name, 'attachment'));
  });
  route(app, ctx, api.downloadSignature, async (c, { actor, params, query, request, reply }) => {
    const file = await openSigned(c, actor, params.processId, params.documentId, query.user);
    sendFile(request, reply, pdfAnswer(c, file, signedFileName(file.name), 'attachment'));
  });
  route(app, ctx, api.downloadEvidence, async (c, { actor, params, query, request, reply }) => {
    sendFile(request, reply, storedFileAnswer(c, await openEvidenceReport(c, actor, params.processId, query.user)));
  });
  route(app, ctx, api.downloadSignaturePage, async (c, { actor, params, query, request, reply }) => {
    sendFile(request, reply, storedFileAnswer(c, await openSignaturePage(c, actor, params.processId, params.documentId, query.user)));
  });
  route(app, ctx, api.getDownloadItems, (c, { actor, params, query }) => listDownloadItems(c, actor, params.processId, query.user));
  route(app, ctx, api.downloadSelection, async (c, { actor, params, query, reply }) => {
    const zip = await zipSelection(c, actor, params.processId, query.items.split(','), query.user);
    void reply
      .header('content-type', 'application/zip')
      .header('content-disposition', 'attachment; filename="assinaturas.zip"')
      .header('cache-control', 'no-store')
      .send(zip);
  });
};

function pdfAnswer(ctx: Ctx, file: DocumentFile, name: string, disposition: 'inline' | 'attachment') {
  return {
    name,
    disposition,
    contentType: 'application/pdf',
    size: file.size,
    // The parts never change and are only appended to: their last hash and the size name the state.
    etag: `${file.parts.at(-1)?.blobHash.slice(0, 32)}-${file.size}`,
    stream: (offset: number, length: number) => streamDocumentFile(ctx, file, offset, length),
  };
}
