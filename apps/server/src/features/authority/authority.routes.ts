import type { Routes } from '../../http/app.ts';
import { visitorOf } from '../../http/auth.ts';
import { sendPublic } from '../../http/send-public.ts';
import { getAuthorityFile } from './get-authority-file.ts';

/** The installation's certificates and CRLs, for validators: the addresses stand in every certificate it issues. */
export const authorityRoutes: Routes = (app, ctx) => {
  app.get<{ Params: { file: string } }>('/pki/:file', async (request, reply) => {
    const { answer, maxAgeSeconds } = await getAuthorityFile(ctx, visitorOf(request), request.params.file);
    return sendPublic(request, reply, answer, maxAgeSeconds);
  });
};
