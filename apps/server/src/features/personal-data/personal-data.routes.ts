import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { erasePersonalData } from './erase-personal-data.ts';
import { exportPersonalData } from './export-personal-data.ts';

/** What the law lets people ask of an installation. */
export const personalDataRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.exportPersonalData, async (c, { actor, params, reply }) => {
    const zip = await exportPersonalData(c, actor, { accountId: params.id });
    void reply
      .header('content-type', 'application/zip')
      .header('content-disposition', 'attachment; filename="dados-pessoais.zip"')
      .header('cache-control', 'no-store')
      .send(zip);
  });
  route(app, ctx, api.erasePersonalData, (c, { actor, params, body }) =>
    erasePersonalData(c, actor, { accountId: params.id, confirmed: body.email }),
  );
};
