import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import type { Routes } from '../../http/app.ts';
import { fileParts } from '../../http/multipart.ts';
import { route } from '../../http/route.ts';
import { BlobTooLargeError } from '../../storage/blob-store.ts';
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
};

/** @throws DomainError request.invalid */
function hashIn(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw new DomainError('request.invalid', { field: 'openedFrom' });
  return value;
}

/**
 * Streams every file part into the storage; memory holds a chunk at a time. A part is kept when there is room for it. Bytes
 * that nobody comes to refer to are removed a day later.
 */
async function storeParts(ctx: Ctx, request: FastifyRequest, room: UploadRoom, signal: AbortSignal): Promise<StoredUpload[]> {
  const stored: StoredUpload[] = [];
  for await (const { fileName, fields, bytes, isCut } of fileParts(request)) {
    const openedFrom = hashIn(fields.get('openedFrom'));
    try {
      const blob = await ctx.storage.put(bytes, {
        maxBytes: ctx.config.maxUploadBytes,
        signal,
        admit: async ({ size }) => {
          if (isCut()) throw new BlobTooLargeError();
          await room.take(size);
        },
      });
      stored.push({ fileName, ...blob, openedFrom });
    } catch (error) {
      if (!(error instanceof BlobTooLargeError)) throw error;
      throw new DomainError('document.tooLarge', {
        params: { name: fileName.slice(0, 80), megabytes: Math.floor(ctx.config.maxUploadBytes / 1024 / 1024) },
      });
    }
  }
  return stored;
}
