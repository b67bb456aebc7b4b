import * as api from '@lavra/api';
import { DomainError, signedFileName } from '@lavra/domain';
import { recordDownload } from '../../audit/record-download.ts';
import type { Routes } from '../../http/app.ts';
import { sendFile, storedFileAnswer } from '../../http/file-reply.ts';
import { sendPublic } from '../../http/public-answer.ts';
import { route } from '../../http/route.ts';
import { streamDocumentFile } from '../documents/document-file.ts';
import { getRevocationList } from './get-revocation-list.ts';
import { getValidation, openVerified, openVerifiedPage } from './get-validation.ts';
import { loginValidation } from './login-validation.ts';
import { getTrust } from './trust.ts';

export const verificationRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.loginValidation, (c, { query, facts }) => loginValidation(c, query, facts));
  route(app, ctx, api.getValidation, (c, { query, facts }) => getValidation(c, query.documentId, query.ticket, facts));
  app.get(`/${api.getTrust.path}`, async (request, reply) => sendPublic(request, reply, await getTrust(ctx), 60));
  route(app, ctx, api.getRevocationList, async (c, { params, facts, request, reply }) => {
    const { answer, maxAgeSeconds } = await getRevocationList(c, params.key, facts.ip);
    sendPublic(request, reply, answer, maxAgeSeconds);
  });
  route(app, ctx, api.downloadValidatedPage, async (c, { query, request, reply }) => {
    const page = await openVerifiedPage(c, query.documentId, query.ticket);
    await recordDownload(c, null, query.ticket, 'page', query.documentId.toLowerCase());
    sendFile(request, reply, storedFileAnswer(c, page));
  });
  route(app, ctx, api.downloadValidated, async (c, { query, request, reply }) => {
    const { loaded, file } = await openVerified(c, query.documentId, query.ticket);
    if (loaded.row.status !== 'FINALIZED_WITH_SUCCESS') throw new DomainError('document.notFinished');
    await recordDownload(c, null, query.ticket, 'verified', file.documentId);
    sendFile(request, reply, {
      name: signedFileName(file.name),
      disposition: 'attachment',
      contentType: 'application/pdf',
      etag: `${file.parts.at(-1)?.blobHash.slice(0, 32)}-${file.size}`,
      size: file.size,
      stream: (offset, length) => streamDocumentFile(c, file, offset, length),
    });
  });
};
