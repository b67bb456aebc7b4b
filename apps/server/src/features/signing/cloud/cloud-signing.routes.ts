import * as api from '@lavra/api';
import type { Routes } from '../../../http/app.ts';
import { route } from '../../../http/route.ts';
import { beginCloudAuthorization } from './begin-cloud-authorization.ts';
import { cancelSigningAttempt } from './cancel-signing-attempt.ts';
import { findCertificates } from './find-certificates.ts';
import { finishCloudAuthorization } from './finish-cloud-authorization.ts';

export const cloudSigningRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.findCertificates, (c, { params, query, facts }) =>
    findCertificates(c, { signatureProcessId: query.processId, signerId: query.signerId, cpf: params.cpf }, facts),
  );
  route(app, ctx, api.findCertificatesByPost, (c, { body, facts }) =>
    findCertificates(c, { signatureProcessId: body.processId, signerId: body.signerId, cpf: body.cpf }, facts),
  );
  route(app, ctx, api.createUrlAuthorize, (c, { query, facts }) =>
    beginCloudAuthorization(c, { ...cloudAct(query), appearance: { style: 'model', image: null } }, facts),
  );
  route(app, ctx, api.createUrlAuthorizeByPost, (c, { body, facts }) =>
    beginCloudAuthorization(c, { ...cloudAct(body), appearance: body.appearance }, facts),
  );
  route(app, ctx, api.createAuthorizeTransactionCallback, (c, { body, facts }) =>
    finishCloudAuthorization(c, { state: body.state, code: body.code ?? null, error: body.error ?? null, browser: body.browser }, facts),
  );
  route(app, ctx, api.cancelSigningAttempt, (c, { body }) => cancelSigningAttempt(c, body.processId, body.signerId));
};

function cloudAct(asked: api.Query<typeof api.createUrlAuthorize>) {
  return {
    signatureProcessId: asked.processId,
    signerId: asked.signerId,
    cpf: asked.userLegalIdentifier,
    psc: asked.userPsc,
    browser: asked.browser,
    consentHash: asked.consentHash,
  };
}
