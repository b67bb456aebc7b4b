import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../../http/app.ts';
import { fileParts } from '../../http/multipart.ts';
import { route } from '../../http/route.ts';
import { type IncomingFile, uploadDocuments } from './upload-documents.ts';

export const documentRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.uploadDocuments, (c, { actor, request, reply }) =>
    uploadDocuments(c, actor, {
      announcedBytes: Number(request.headers['content-length'] ?? 0),
      files: incomingFiles(request),
      gone: goneWith(reply),
    }),
  );
};

async function* incomingFiles(request: FastifyRequest): AsyncGenerator<IncomingFile> {
  for await (const { fileName, fields, bytes, isCut } of fileParts(request))
    yield { fileName, bytes, isCut, openedFrom: hashIn(fields.get('openedFrom')) };
}

/** @throws DomainError request.invalid */
function hashIn(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw new DomainError('request.invalid', { field: 'openedFrom' });
  return value;
}

function goneWith(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
