import type { Readable } from 'node:stream';
import * as api from '@lavra/api';
import type { FastifyReply } from 'fastify';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { erasePerson } from './erase-person.ts';
import { erasePersonalData } from './erase-personal-data.ts';
import { exportPerson } from './export-person.ts';
import { exportPersonalData } from './export-personal-data.ts';

/** What the law lets people ask of an installation. */
export const personalDataRoutes: Routes = (app, ctx) => {
  const send = (reply: FastifyReply, zip: Readable) =>
    void reply
      .header('content-type', 'application/zip')
      .header('content-disposition', 'attachment; filename="dados-pessoais.zip"')
      .header('cache-control', 'no-store')
      .send(zip);
  route(app, ctx, api.exportPersonalData, async (c, { actor, params, reply }) =>
    send(reply, await exportPersonalData(c, actor, { accountId: params.id })),
  );
  route(app, ctx, api.exportPerson, async (c, { actor, body, reply }) => send(reply, await exportPerson(c, actor, body)));
  route(app, ctx, api.erasePerson, (c, { actor, body }) => erasePerson(c, actor, body));
  route(app, ctx, api.erasePersonalData, (c, { actor, params, body }) =>
    erasePersonalData(c, actor, { accountId: params.id, confirmed: body.email }),
  );
};
