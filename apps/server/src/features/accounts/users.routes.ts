import * as api from '@lavra/api';
import { authorities } from '@lavra/domain';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { deactivateAccount } from './deactivate-account.ts';
import { endUserSessions } from './end-user-sessions.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { listLogins } from './list-logins.ts';
import { reactivateAccount } from './reactivate-account.ts';
import { resendActivation } from './resend-activation.ts';

/** What administrators do with people's accounts beside the six calls of the entity. */
export const userRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.listLogins, (c, { actor, query }) => c.lists((lists) => listLogins(lists, actor, query)));
  route(app, ctx, api.listAuthorities, () => Promise.resolve([...authorities]));
  route(app, ctx, api.listAuditEvents, (c, { actor, query }) => c.lists((lists) => listAuditEvents(lists, actor, query)));
  route(app, ctx, api.deactivateUser, (c, { actor, params }) => deactivateAccount(c, actor, { accountId: params.id }));
  route(app, ctx, api.reactivateUser, (c, { actor, params }) => reactivateAccount(c, actor, { accountId: params.id }));
  route(app, ctx, api.resendActivation, (c, { actor, params }) => resendActivation(c, actor, { accountId: params.id }));
  route(app, ctx, api.endUserSessions, (c, { actor, params }) => endUserSessions(c, actor, { accountId: params.id }));
};
