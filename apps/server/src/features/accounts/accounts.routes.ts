import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import type { Routes } from '../../http/app.ts';
import { bearerToken } from '../../http/auth.ts';
import { readDeviceCookie, setDeviceCookie } from '../../http/device-cookie.ts';
import { route } from '../../http/route.ts';
import { getAccount, saveAccount } from './account-profile.ts';
import { activateAccount } from './activate-account.ts';
import { authenticate } from './authenticate.ts';
import { changePassword } from './change-password.ts';
import { endSession } from './end-session.ts';
import type { Entrance } from './open-session.ts';
import { refreshSession } from './refresh-session.ts';
import { register } from './register.ts';
import { finishPasswordReset, requestPasswordReset } from './reset-password.ts';

export const accountRoutes: Routes = (app, ctx) => {
  const device = (request: FastifyRequest) => readDeviceCookie(ctx, request);
  route(app, ctx, api.getAccount, (c, { actor }) => getAccount(c, actor));
  route(app, ctx, api.saveAccount, (c, { actor, body }) => saveAccount(c, actor, body));
  route(app, ctx, api.changePassword, (c, { actor, body }) => changePassword(c, actor, body));
  route(app, ctx, api.requestPasswordReset, (c, { body }) => requestPasswordReset(c, typeof body === 'string' ? body : body.email));
  route(app, ctx, api.finishPasswordReset, async (c, { body, facts, request, reply }) => {
    setDeviceCookie(c, reply, await finishPasswordReset(c, body.key, body.newPassword, device(request), facts));
  });
  route(app, ctx, api.activateAccount, (c, { query, facts, request }) => activateAccount(c, query.key, {}, device(request), facts));
  route(app, ctx, api.confirmAccount, (c, { body, facts, request }) => activateAccount(c, body.key, body, device(request), facts));
  route(app, ctx, api.register, async (c, { body, facts, request, reply }) => {
    const { activated, device: kept } = await register(
      c,
      { ...body, langKey: body.langKey, firstKey: body.firstKey },
      device(request),
      facts,
    );
    setDeviceCookie(c, reply, kept);
    return { activated };
  });
  route(app, ctx, api.authenticate, async (c, { body, facts, request, reply }) => {
    const credentials = { username: body.username, password: body.password, rememberMe: body.rememberMe ?? false };
    return answerEntrance(c, reply, await authenticate(c, credentials, facts, device(request)));
  });
  route(app, ctx, api.refreshSession, async (c, { facts, request, reply }) => {
    const token = bearerToken(request);
    if (token === null) throw new DomainError('request.unauthorized');
    return answerEntrance(c, reply, await refreshSession(c, token, device(request), facts));
  });
  route(app, ctx, api.logout, (c, { actor }) => endSession(c, actor));
  // Without an external identity provider every active account may enter; contracts will narrow CREATE_PROCESS.
  route(app, ctx, api.hasPermission, (_c, { actor }) => Promise.resolve(actor.authorities.length > 0));
  route(app, ctx, api.getEmailUserLogged, (_c, { actor }) => Promise.resolve(actor.email));
  route(app, ctx, api.getIdUserLogged, (_c, { actor }) => Promise.resolve(actor.userId));
};

function answerEntrance(ctx: Ctx, reply: FastifyReply, { token, device }: Entrance) {
  setDeviceCookie(ctx, reply, device);
  void reply.header('authorization', `Bearer ${token}`);
  return { id_token: token };
}
