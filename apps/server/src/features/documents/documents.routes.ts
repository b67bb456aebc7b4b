import * as api from '@lavra/api';
import { DomainError, signedFileName } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import type { Routes } from '../../http/app.ts';
import { sendFile } from '../../http/file-reply.ts';
import { fileParts } from '../../http/multipart.ts';
import { route } from '../../http/route.ts';
import { BlobTooLargeError } from '../../storage/blob-store.ts';
import { type DocumentFile, streamDocumentFile } from './document-file.ts';
import { listDownloadItems, openEvidenceReport, openOriginal, openSigned, openViewed } from './downloads.ts';
import { zipSelection } from './zip-selection.ts';
import { type StoredUpload, uploadDocument } from './upload-document.ts';
import { assertRoomFor, type UploadRoom, uploadRoom } from './upload-room.ts';

export const documentRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.uploadDocuments, async (c, { actor, request, reply }) => {
    await assertRoomFor(c, actor.userId, Number(request.headers['content-length'] ?? 0));
    const room = uploadRoom(c, actor.userId);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    try {
      const stored = await storeParts(c, request, room, gone.signal);
      if (stored.length === 0) throw new DomainError('process.documentsRequired', { field: 'files' });
      const uploaded = [];
      for (const upload of stored) {
        uploaded.push(await uploadDocument(c, actor.userId, upload));
        room.keep(upload.size);
      }
      return uploaded;
    } finally {
      await room.giveBackTheRest();
    }
  });
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
    const report = await openEvidenceReport(c, actor, params.processId, query.user);
    const { hash } = report;
    sendFile(request, reply, {
      ...report,
      contentType: 'application/pdf',
      disposition: 'attachment',
      etag: hash,
      stream: (offset, length) => c.storage.read(hash, { offset, length }),
    });
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

/**
 * Streams every file part into the storage; memory holds a chunk at a time. A part is kept when there is room for it. Bytes
 * that nobody comes to refer to are removed a day later.
 */
async function storeParts(ctx: Ctx, request: FastifyRequest, room: UploadRoom, signal: AbortSignal): Promise<StoredUpload[]> {
  const stored: StoredUpload[] = [];
  for await (const { fileName, bytes, isCut } of fileParts(request)) {
    try {
      const blob = await ctx.storage.put(bytes, {
        maxBytes: ctx.config.maxUploadBytes,
        signal,
        admit: async ({ size }) => {
          if (isCut()) throw new BlobTooLargeError();
          await room.take(size);
        },
      });
      stored.push({ fileName, ...blob });
    } catch (error) {
      if (!(error instanceof BlobTooLargeError)) throw error;
      throw new DomainError('document.tooLarge', {
        params: { name: fileName.slice(0, 80), megabytes: Math.floor(ctx.config.maxUploadBytes / 1024 / 1024) },
      });
    }
  }
  return stored;
}
