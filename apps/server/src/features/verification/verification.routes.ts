import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { sendFile } from '../../http/file-reply.ts';
import { sendPublic } from '../../http/public-answer.ts';
import { route } from '../../http/route.ts';
import { downloadValidatedPage } from './download-validated-page.ts';
import { downloadValidated } from './download-validated.ts';
import { getRevocationList } from './get-revocation-list.ts';
import { getValidation } from './get-validation.ts';
import { loginValidation } from './login-validation.ts';
import { getTrust } from './trust.ts';

export const verificationRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.loginValidation, (c, { actor, query }) => loginValidation(c, actor, query));
  route(app, ctx, api.getValidation, (c, { actor, query }) => getValidation(c, actor, query));
  app.get(`/${api.getTrust.path}`, async (request, reply) => sendPublic(request, reply, await getTrust(ctx), 60));
  route(app, ctx, api.getRevocationList, async (c, { actor, params, request, reply }) => {
    const { answer, maxAgeSeconds } = await getRevocationList(c, actor, params.key);
    sendPublic(request, reply, answer, maxAgeSeconds);
  });
  route(app, ctx, api.downloadValidatedPage, async (c, { actor, query, request, reply }) => {
    sendFile(request, reply, await downloadValidatedPage(c, actor, query));
  });
  route(app, ctx, api.downloadValidated, async (c, { actor, query, request, reply }) => {
    sendFile(request, reply, await downloadValidated(c, actor, query));
  });
};
