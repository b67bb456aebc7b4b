import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { fileParts } from '../../http/multipart.ts';
import { route } from '../../http/route.ts';
import { fetchIcpBrasil } from './fetch-icp-brasil.ts';
import { getIcpBrasil } from './get-icp-brasil.ts';
import { uploadIcpBrasil } from './upload-icp-brasil.ts';

export const trustListRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.getIcpBrasil, (c, { actor }) => getIcpBrasil(c, actor));
  route(app, ctx, api.uploadIcpBrasil, (c, { actor, request }) => uploadIcpBrasil(c, actor, fileParts(request)));
  route(app, ctx, api.fetchIcpBrasil, (c, { actor }) => fetchIcpBrasil(c, actor));
};
