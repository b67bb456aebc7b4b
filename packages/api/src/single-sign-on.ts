import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/**
 * Single sign-on mode (`ssoEnabled` of `management/info`); without it the three are not found. Where a browser goes to sign in: the
 * provider sends it back to `/login/return/<provider>`, and only the browser that asked may hand in what came back: it keeps a cookie.
 */
export const beginSingleSignOn = defineCall({
  method: 'POST',
  path: 'api/sso/begin',
  access: 'public',
  limits: ['social'],
  reply: z.object({ url: z.string() }),
});

/** Hands in the query that the provider sent the browser back with, once. */
export const finishSingleSignOn = defineCall({
  method: 'POST',
  path: 'api/sso/finish',
  access: 'public',
  limits: ['social', 'sessions'],
  body: z.object({ query: z.string().check(z.maxLength(8192)) }),
  /** Also answered as `Authorization: Bearer …`; good for minutes, see `refreshSession`. */
  reply: z.object({ id_token: z.string() }),
});

/**
 * Signs out: ends the session of the Bearer token, however old that is, in the browser that signed in. Where the provider ends its
 * own session; null: it has no such address.
 */
export const leaveSingleSignOn = defineCall({
  method: 'POST',
  path: 'api/sso/leave',
  access: 'public',
  limits: ['social'],
  reply: z.object({ url: z.nullable(z.string()) }),
});
