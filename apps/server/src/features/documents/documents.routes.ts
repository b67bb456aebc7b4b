import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../../http/app.ts';
import { fileParts } from '../../http/multipart.ts';
import { route } from '../../http/route.ts';
import { answersUpload } from './answers-upload.ts';
import { type IncomingFile, uploadDocuments } from './upload-documents.ts';
import { findReceived } from './find-received.ts';
import { roomAhead } from './upload-room.ts';
import { keepPart } from './keep-part.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const documentRoutes: Routes = (app, ctx) => {
  route(
    app,
    ctx,
    api.uploadDocuments,
    (c, { actor, request, reply }) =>
      uploadDocuments(c, actor, {
        announcedBytes: Number(request.headers['content-length'] ?? 0),
        files: incomingFiles(request),
        gone: goneWith(reply),
      }),
    roomAhead,
    (c, { actor, request }, answered) => answersUpload(c, actor, { files: incomingFiles(request), answered }),
  );

  route(app, ctx, api.findUpload, async (c, { params, actor }) => ({
    received: await findReceived(c, actor, params.uploadId),
  }));

  route(app, ctx, api.sendUploadPart, async (c, { params, query, actor, request, reply }) => {
    for await (const { fileName, bytes } of fileParts(request))
      return {
        received: await keepPart(c, actor, { uploadId: params.uploadId, fileName, from: query.from, bytes, gone: goneWith(reply) }),
      };
    throw new DomainError('request.invalid', { field: 'files' });
  });
};

async function* incomingFiles(request: FastifyRequest): AsyncGenerator<IncomingFile> {
  for await (const { fileName, fields, bytes, isCut } of fileParts(request))
    yield { fileName, bytes, isCut, openedFrom: hashIn(fields.get('openedFrom')), continues: continuedIn(fields) };
}

/** @throws DomainError request.invalid */
function hashIn(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw new DomainError('request.invalid', { field: 'openedFrom' });
  return value;
}

/** @throws DomainError request.invalid */
function continuedIn(fields: ReadonlyMap<string, unknown>): IncomingFile['continues'] {
  const [uploadId, from] = [fields.get('continues'), fields.get('from')];
  if (uploadId === undefined && from === undefined) return null;
  if (typeof uploadId !== 'string' || !UUID.test(uploadId)) throw new DomainError('request.invalid', { field: 'continues' });
  if (typeof from !== 'string' || !/^\d{1,15}$/.test(from)) throw new DomainError('request.invalid', { field: 'from' });
  return { uploadId, from: Number(from) };
}

/** One for all: each upload ends so, and a reason of its own would have its stack written down. */
const ANSWERED = new Error('nobody waits for the answer any more');

function goneWith(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(ANSWERED));
  return gone.signal;
}
