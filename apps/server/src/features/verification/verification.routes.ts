import * as api from '@lavra/api';
import { system } from '../../access/actor.ts';
import type { Routes } from '../../http/app.ts';
import { readOwnCookie, setOwnCookie } from '../../http/own-cookie.ts';
import { sendFile } from '../../http/file-reply.ts';
import { route, serialize } from '../../http/route.ts';
import { sendPublic } from '../../http/send-public.ts';
import { kept } from '../../kept.ts';
import { publicAnswer } from '../../public-answer.ts';
import { downloadValidatedPage } from './download-validated-page.ts';
import { downloadValidated } from './download-validated.ts';
import { getRevocationList } from './get-revocation-list.ts';
import { getValidation } from './get-validation.ts';
import { loginValidation } from './login-validation.ts';
import { getTrust } from './get-trust.ts';

/** The two calls of the specification follow each other with the document's identifier alone. */
const TICKET_COOKIE = 'lavra-validation';
const TICKET_SECONDS = 300;

/** Made once a minute at most, whoever asks: nobody in particular is told. */
const trustForAll = kept(60_000, async (ctx) =>
  publicAnswer('application/json; charset=utf-8', serialize(api.getTrust, await getTrust(ctx, system))),
);

export const verificationRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.loginValidation, async (c, { actor, query, reply }) => {
    const answer = await loginValidation(c, actor, query);
    if (answer.ticket !== null) setOwnCookie(c, reply, TICKET_COOKIE, { value: answer.ticket, seconds: TICKET_SECONDS });
    return answer;
  });
  route(app, ctx, api.getValidation, (c, { actor, query: { documentId, ticket }, request }) =>
    getValidation(c, actor, { documentId, ticket: ticket ?? readOwnCookie(c, request, TICKET_COOKIE) }),
  );
  app.get(`/${api.getTrust.path}`, async (request, reply) => sendPublic(request, reply, await trustForAll(ctx), 60));
  route(app, ctx, api.getRevocationList, async (c, { actor, params, request, reply }) => {
    const { answer, maxAgeSeconds } = await getRevocationList(c, actor, params.key);
    sendPublic(request, reply, answer, maxAgeSeconds);
  });
  route(app, ctx, api.downloadValidatedPage, async (c, { actor, query, request, reply }) => {
    sendFile(request, reply, await downloadValidatedPage(c, actor, query));
  });
  route(app, ctx, api.downloadValidated, async (c, { actor, query, request, reply }) => {
    sendFile(request, reply, await downloadValidated(c, actor, query));
  });
};
