import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Routes } from '../../http/app.ts';
import { bearerToken } from '../../http/auth.ts';
import { answerEntrance, answerOpened } from '../../http/answer-entrance.ts';
import { readDeviceCookie, setDeviceCookie } from '../../http/device-cookie.ts';
import { route } from '../../http/route.ts';
import { activateAccount } from './activate-account.ts';
import { authenticate } from './authenticate.ts';
import { changePassword } from './change-password.ts';
import { endSession } from './end-session.ts';
import { finishPasswordReset } from './finish-password-reset.ts';
import { getAccount } from './get-account.ts';
import { hasPermission } from './has-permission.ts';
import { refreshSession } from './refresh-session.ts';
import { register } from './register.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { saveAccount } from './save-account.ts';

export const accountRoutes: Routes = (app, ctx) => {
  const device = (request: FastifyRequest) => readDeviceCookie(ctx, request);
  route(app, ctx, api.getAccount, (c, { actor }) => getAccount(c, actor));
  route(app, ctx, api.saveAccount, (c, { actor, body }) => saveAccount(c, actor, body));
  route(app, ctx, api.changePassword, (c, { actor, body }) => changePassword(c, actor, body));
  route(app, ctx, api.requestPasswordReset, (c, { actor, body }) =>
    requestPasswordReset(c, actor, typeof body === 'string' ? body : body.email),
  );
  route(app, ctx, api.finishPasswordReset, async (c, { actor, body, request, reply }) => {
    setDeviceCookie(c, reply, await finishPasswordReset(c, actor, { ...body, device: device(request) }));
  });
  route(app, ctx, api.activateAccount, (c, { actor, query, request }) =>
    activateAccount(c, actor, { key: query.key, device: device(request) }),
  );
  route(app, ctx, api.confirmAccount, (c, { actor, body, request }) => activateAccount(c, actor, { ...body, device: device(request) }));
  route(app, ctx, api.register, async (c, { actor, body, request, reply }) => {
    const { langKey, firstKey } = body;
    const { activated, token, device: kept } = await register(c, actor, { ...body, langKey, firstKey, device: device(request) });
    if (token !== null) return { activated, ...answerOpened(c, reply, { token, device: kept }) };
    setDeviceCookie(c, reply, kept);
    return { activated };
  });
  route(app, ctx, api.authenticate, async (c, { actor, body, request, reply }) => {
    const credentials = { username: body.username, password: body.password, rememberMe: body.rememberMe ?? false };
    return answerEntrance(c, reply, await authenticate(c, actor, { ...credentials, device: device(request) }));
  });
  route(app, ctx, api.refreshSession, async (c, { actor, request, reply }) => {
    const token = bearerToken(request);
    if (token === null) throw new DomainError('request.unauthorized');
    return answerOpened(c, reply, await refreshSession(c, actor, { token, device: device(request) }));
  });
  route(app, ctx, api.logout, (c, { actor }) => endSession(c, actor));
  route(app, ctx, api.hasPermission, (c, { actor, query }) => hasPermission(c, actor, query.actionFlowWebType));
  route(app, ctx, api.getEmailUserLogged, (_c, { actor }) => Promise.resolve(actor.email));
  route(app, ctx, api.getIdUserLogged, (_c, { actor }) => Promise.resolve(actor.email));
};
