import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { cancelEmailChange } from './cancel-email-change.ts';
import { confirmEmail } from './confirm-email.ts';
import { endAccountSession } from './end-account-session.ts';
import { endOtherSessions } from './end-other-sessions.ts';
import { getSessions } from './get-sessions.ts';

export const accountSettingsRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.getSessions, (c, { actor }) => getSessions(c, actor));
  route(app, ctx, api.endOtherSessions, (c, { actor }) => endOtherSessions(c, actor));
  route(app, ctx, api.endSession, (c, { actor, params }) => endAccountSession(c, actor, params));
  route(app, ctx, api.confirmEmail, (c, { actor, body }) => confirmEmail(c, actor, body));
  route(app, ctx, api.cancelEmailChange, (c, { actor }) => cancelEmailChange(c, actor));
};
