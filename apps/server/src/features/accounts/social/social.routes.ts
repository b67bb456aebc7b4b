import * as api from '@lavra/api';
import type { FastifyReply } from 'fastify';
import type { Entrance } from '../../../access/entrance.ts';
import type { Ctx } from '../../../context.ts';
import type { Routes } from '../../../http/app.ts';
import { answerEntrance } from '../../../http/answer-entrance.ts';
import { readDeviceCookie } from '../../../http/device-cookie.ts';
import { route } from '../../../http/route.ts';
import { readSignInCookie, setSignInCookie } from '../../../http/sign-in-cookie.ts';
import { beginSocialSignIn } from './begin-social-sign-in.ts';
import { finishSocialSignIn } from './finish-social-sign-in.ts';
import { listAccountIdentities } from './list-account-identities.ts';
import { rebindIdentity } from './rebind-identity.ts';
import { registerSocial } from './register-social.ts';
import { unbindIdentity } from './unbind-identity.ts';

export const socialRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.listAccountIdentities, (c, { actor }) => listAccountIdentities(c, actor));
  route(app, ctx, api.unbindIdentity, (c, { actor, params, body }) => unbindIdentity(c, actor, { ...params, ...body }));
  route(app, ctx, api.rebindIdentity, (c, { actor, params, body }) => rebindIdentity(c, actor, { ...params, ...body }));
  route(app, ctx, api.beginSocialSignIn, async (c, { actor, body, request, reply }) => {
    const { provider, rememberMe: remember = false } = body;
    const { url, browser } = await beginSocialSignIn(c, actor, { provider, remember, browser: readSignInCookie(c, request) });
    setSignInCookie(c, reply, browser);
    return { url };
  });
  route(app, ctx, api.finishSocialSignIn, async (c, { actor, body, request, reply }) => {
    const shown = { browser: readSignInCookie(c, request), device: readDeviceCookie(c, request) };
    const outcome = await finishSocialSignIn(c, actor, { ...body, ...shown });
    if ('entrance' in outcome) return { ...answerSocial(c, reply, outcome), registration: null };
    const { subject: uid, email, firstName, lastName, providerName } = outcome.registration;
    const registration = { uid, email: email ?? '', name: `${firstName} ${lastName}`.trim(), provider: providerName };
    return { id_token: null, secondStep: null, rememberMe: outcome.remember, registration };
  });
  route(app, ctx, api.registerSocial, async (c, { actor, body, request, reply }) => {
    const { uid, email, locale: langKey, firstKey } = body;
    const shown = { browser: readSignInCookie(c, request), device: readDeviceCookie(c, request) };
    return answerSocial(c, reply, await registerSocial(c, actor, { uid, email, langKey, firstKey, ...shown }));
  });
};

function answerSocial(ctx: Ctx, reply: FastifyReply, { entrance, remember }: { entrance: Entrance; remember: boolean }) {
  const { id_token: token = null, secondStep = null } = answerEntrance(ctx, reply, entrance);
  return { id_token: token, secondStep, rememberMe: remember };
}
