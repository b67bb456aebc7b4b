import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../../../context.ts';
import type { Routes } from '../../../http/app.ts';
import { callerOf } from '../../../http/auth.ts';
import { route } from '../../../http/route.ts';
import { asSigner } from '../as-signer.ts';
import { beginCloudAuthorization, type CloudAct } from './begin-cloud-authorization.ts';
import { cancelSigningAttempt } from './cancel-signing-attempt.ts';
import { findCertificates } from './find-certificates.ts';
import { finishCloudAuthorization } from './finish-cloud-authorization.ts';

export const cloudSigningRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.findCertificates, async (c, { actor, params, query }) =>
    findCertificates(c, await asSigner(c, actor, query.processId), { signatureProcessId: query.processId, cpf: params.cpf }),
  );
  route(app, ctx, api.findCertificatesByPost, async (c, { actor, body }) =>
    findCertificates(c, await asSigner(c, actor, body.processId), { signatureProcessId: body.processId, cpf: body.cpf }),
  );
  route(app, ctx, api.createUrlAuthorize, async (c, { actor, query, request }) =>
    beginCloudAuthorization(c, await asSigner(c, actor, query.processId), {
      ...cloudAct(query),
      browser: await browserOf(c, request, query.browser),
      appearance: { style: 'model', image: null },
    }),
  );
  route(app, ctx, api.createUrlAuthorizeByPost, async (c, { actor, body, request }) =>
    beginCloudAuthorization(c, await asSigner(c, actor, body.processId), {
      ...cloudAct(body),
      browser: await browserOf(c, request, body.browser),
      appearance: body.appearance,
    }),
  );
  route(app, ctx, api.createAuthorizeTransactionCallback, async (c, { actor, body, request }) =>
    finishCloudAuthorization(c, actor, {
      state: body.state,
      code: body.code ?? null,
      error: body.error ?? null,
      browser: body.browser ?? (await sessionSecret(c, request)),
    }),
  );
  route(app, ctx, api.cancelSigningAttempt, (c, { actor, body }) => cancelSigningAttempt(c, actor, body.processId));
};

/** What a callback must come with: the secret of the browser's hash, or the session. */
async function browserOf(ctx: Ctx, request: FastifyRequest, hash: string | undefined): Promise<CloudAct['browser']> {
  return hash === undefined ? { secret: await sessionSecret(ctx, request) } : { hash };
}

/**
 * What stands for a browser that keeps no secret of its own: the session that is signed in, which nobody outside knows.
 * @throws DomainError request.invalid where there is no session either: nobody could tell who comes back
 */
async function sessionSecret(ctx: Ctx, request: FastifyRequest): Promise<string> {
  const { person } = await callerOf(ctx, request);
  if (!person) throw new DomainError('request.invalid', { field: 'browser' });
  return `session ${person.sessionId}`;
}

function cloudAct(asked: api.Query<typeof api.createUrlAuthorize>) {
  return {
    signatureProcessId: asked.processId,
    cpf: asked.userLegalIdentifier,
    psc: asked.userPsc,
    holder: asked.holder ?? ('person' as const),
    consentHash: asked.consentHash ?? null,
  };
}
