import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { getAccount, saveAccount } from './account-profile.ts';
import { revokeSession } from './accounts.store.ts';
import { activateAccount } from './activate-account.ts';
import { authenticate } from './authenticate.ts';
import { changePassword } from './change-password.ts';
import { register } from './register.ts';
import { finishPasswordReset, requestPasswordReset } from './reset-password.ts';

export const accountRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.getAccount, (c, { actor }) => getAccount(c, actor));
  route(app, ctx, api.saveAccount, (c, { actor, body }) => saveAccount(c, actor, body));
  route(app, ctx, api.changePassword, (c, { actor, body }) => changePassword(c, actor, body));
  route(app, ctx, api.requestPasswordReset, (c, { body, facts }) =>
    requestPasswordReset(c, typeof body === 'string' ? body : body.email, facts),
  );
  route(app, ctx, api.finishPasswordReset, (c, { body }) => finishPasswordReset(c, body.key, body.newPassword));
  route(app, ctx, api.activateAccount, (c, { query }) => activateAccount(c, query.key));
  route(app, ctx, api.register, (c, { body, facts }) => register(c, { ...body, langKey: body.langKey }, facts));
  route(app, ctx, api.authenticate, async (c, { body, facts, reply }) => {
    const token = await authenticate(c, { username: body.username, password: body.password, rememberMe: body.rememberMe ?? false }, facts);
    reply.header('authorization', `Bearer ${token}`);
    return { id_token: token };
  });
  route(app, ctx, api.logout, (c, { actor }) => revokeSession(c, actor.sessionId));
  // Without an external identity provider every active account may enter; contracts will narrow CREATE_PROCESS.
  route(app, ctx, api.hasPermission, (_c, { actor }) => Promise.resolve(actor.authorities.length > 0));
  route(app, ctx, api.getEmailUserLogged, (_c, { actor }) => Promise.resolve(actor.email));
  route(app, ctx, api.getIdUserLogged, (_c, { actor }) => Promise.resolve(actor.userId));
};
