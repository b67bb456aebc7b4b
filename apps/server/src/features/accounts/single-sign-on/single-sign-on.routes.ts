import * as api from '@lavra/api';
import type { Routes } from '../../../http/app.ts';
import { bearerToken } from '../../../http/auth.ts';
import { readDeviceCookie, setDeviceCookie } from '../../../http/device-cookie.ts';
import { route } from '../../../http/route.ts';
import { readSignInCookie, setSignInCookie } from '../../../http/sign-in-cookie.ts';
import { beginSingleSignOn } from './begin-single-sign-on.ts';
import { finishSingleSignOn } from './finish-single-sign-on.ts';
import { leaveSingleSignOn } from './leave-single-sign-on.ts';

export const singleSignOnRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.beginSingleSignOn, async (c, { actor, request, reply }) => {
    const { url, browser } = await beginSingleSignOn(c, actor, { browser: readSignInCookie(c, request) });
    setSignInCookie(c, reply, browser);
    return { url };
  });
  route(app, ctx, api.finishSingleSignOn, async (c, { actor, body, request, reply }) => {
    const shown = { browser: readSignInCookie(c, request), device: readDeviceCookie(c, request) };
    const { token, device } = await finishSingleSignOn(c, actor, { ...body, ...shown });
    setDeviceCookie(c, reply, device);
    void reply.header('authorization', `Bearer ${token}`);
    return { id_token: token };
  });
  route(app, ctx, api.leaveSingleSignOn, async (c, { actor, request }) => ({
    url: await leaveSingleSignOn(c, actor, { token: bearerToken(request), device: readDeviceCookie(c, request) }),
  }));
};
