import * as api from '@lavra/api';
import { pastedEmails } from '@lavra/domain';
import type { FastifyReply } from 'fastify';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { sendPublic } from '../../http/send-public.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { changeRole } from './change-role.ts';
import { describeCompany } from './describe-company.ts';
import { describeOwnCompany } from './describe-own-company.ts';
import { getLogo } from './get-logo.ts';
import { invitePeople } from './invite-people.ts';
import { isSizeAllowed } from './is-size-allowed.ts';
import { patchCompany } from './patch-company.ts';
import { readInvitation } from './read-invitation.ts';
import { removeMember } from './remove-member.ts';
import { resendInvitation } from './resend-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { setLogo } from './set-logo.ts';
import { setRetention } from './set-retention.ts';

const LOGO_SECONDS = 86_400;
const mailed = ({ id, user }: { id: string; user: string }) => ({ id, key: user });

/** 205 tells the page that it has nothing to show any more. */
function answerRemoval(reply: FastifyReply, left: api.CompanyOverview | null): api.CompanyOverview {
  if (left === null) void reply.code(205);
  return left as api.CompanyOverview;
}

/** The specification's GETs that change something, each with the POST that our own pages use. */
export const companyRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.patchCompany, (c, { actor, params, body }) => patchCompany(c, actor, { ...body, id: params.id }));
  route(app, ctx, api.setCompanyLogo, (c, { actor, params, body }) => setLogo(c, actor, { companyId: params.id, image: body.image }));
  route(app, ctx, api.getCompanyLogo, async (c, { actor, params, request, reply }) => {
    sendPublic(request, reply, await getLogo(c, actor, params.hash), LOGO_SECONDS);
  });
  route(app, ctx, api.findCompanyCurrentUser, (c, { actor }) => describeOwnCompany(c, actor));
  route(app, ctx, api.getCompanyOverview, (c, { actor, params }) => describeCompany(c, actor, params.id));
  route(app, ctx, api.inviteCompany, (c, { actor, body }) => invitePeople(c, actor, { emails: body.emails, companyId: body.companyId }));
  route(app, ctx, api.inviteCompanyByGet, (c, { actor, params }) =>
    invitePeople(c, actor, { emails: pastedEmails(params.emails), companyId: undefined }),
  );
  route(app, ctx, api.resendCompanyInvitation, (c, { actor, params }) => resendInvitation(c, actor, params.id));
  route(app, ctx, api.revokeCompanyInvitation, (c, { actor, params }) => revokeInvitation(c, actor, params.id));
  route(app, ctx, api.getCompanyInvitation, (c, { actor, params }) => readInvitation(c, actor, mailed(params)));
  for (const call of [api.acceptInviteCompany, api.acceptInviteCompanyByGet])
    route(app, ctx, call, (c, { actor, params }) => acceptInvitation(c, actor, mailed(params)));
  for (const call of [api.makeAdministrator, api.makeAdministratorByGet])
    route(app, ctx, call, (c, { actor, params }) => changeRole(c, actor, { ...params, role: 'admin' }));
  for (const call of [api.makeUser, api.makeUserByGet])
    route(app, ctx, call, (c, { actor, params }) => changeRole(c, actor, { ...params, role: 'member' }));
  for (const call of [api.removeUser, api.removeUserByGet])
    route(app, ctx, call, async (c, { actor, params, reply }) => answerRemoval(reply, await removeMember(c, actor, params)));
  for (const call of [api.retention, api.retentionByGet]) route(app, ctx, call, (c, { actor, params }) => setRetention(c, actor, params));
  route(app, ctx, api.sizeIsAllowed, (c, { actor, params }) => isSizeAllowed(c, actor, params.size));
};
