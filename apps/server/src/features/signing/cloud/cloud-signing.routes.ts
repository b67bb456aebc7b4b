import * as api from '@lavra/api';
import type { Routes } from '../../../http/app.ts';
import { route } from '../../../http/route.ts';
import { beginCloudAuthorization } from './begin-cloud-authorization.ts';
import { cancelSigningAttempt } from './cancel-signing-attempt.ts';
import { findCertificates } from './find-certificates.ts';
import { finishCloudAuthorization } from './finish-cloud-authorization.ts';

export const cloudSigningRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.findCertificates, (c, { actor, params, query }) =>
    findCertificates(c, actor, { signatureProcessId: query.processId, cpf: params.cpf }),
  );
  route(app, ctx, api.findCertificatesByPost, (c, { actor, body }) =>
    findCertificates(c, actor, { signatureProcessId: body.processId, cpf: body.cpf }),
  );
  route(app, ctx, api.createUrlAuthorize, (c, { actor, query }) =>
    beginCloudAuthorization(c, actor, { ...cloudAct(query), appearance: { style: 'model', image: null } }),
  );
  route(app, ctx, api.createUrlAuthorizeByPost, (c, { actor, body }) =>
    beginCloudAuthorization(c, actor, { ...cloudAct(body), appearance: body.appearance }),
  );
  route(app, ctx, api.createAuthorizeTransactionCallback, (c, { actor, body }) =>
    finishCloudAuthorization(c, actor, { state: body.state, code: body.code ?? null, error: body.error ?? null, browser: body.browser }),
  );
  route(app, ctx, api.cancelSigningAttempt, (c, { actor, body }) => cancelSigningAttempt(c, actor, body.processId));
};

function cloudAct(asked: api.Query<typeof api.createUrlAuthorize>) {
  return {
    signatureProcessId: asked.processId,
    cpf: asked.userLegalIdentifier,
    psc: asked.userPsc,
    holder: asked.holder ?? ('person' as const),
    browser: asked.browser,
    consentHash: asked.consentHash,
  };
}
