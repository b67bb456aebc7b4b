import * as z from 'zod/mini';
import { langKey } from './authority.ts';
import { defineCall } from './call.ts';
import { proof, proofLimits, secondStep } from './second-factor.ts';

const provider = z.string().check(z.maxLength(20));

/**
 * Where a browser goes to sign in through a provider (`socialProviders` of `management/info` names them). The provider sends it
 * back to `/login/return/<provider>`, and only the browser that asked may hand in what came back: it keeps a cookie.
 */
export const beginSocialSignIn = defineCall({
  method: 'POST',
  path: 'api/social/begin',
  access: 'public',
  ownAccounts: true,
  limits: ['social'],
  body: z.object({ provider, rememberMe: z.optional(z.boolean()) }),
  reply: z.object({ url: z.string() }),
});

/** Hands in the query that the provider sent the browser back with, once. */
export const finishSocialSignIn = defineCall({
  method: 'POST',
  path: 'api/social/finish',
  access: 'public',
  ownAccounts: true,
  limits: ['social', 'sessions'],
  body: z.object({ provider, query: z.string().check(z.maxLength(8192)) }),
  reply: z.object({
    /** Also answered as `Authorization: Bearer …`. Null: there is no account yet, and `registerSocial` makes it; or a second step comes first. */
    id_token: z.nullable(z.string()),
    /** What the account is asked before there is a token (`finishSignIn`). */
    secondStep: z.nullable(secondStep),
    rememberMe: z.boolean(),
    registration: z.nullable(z.object({ uid: z.string(), email: z.string(), name: z.string(), provider: z.string() })),
  }),
});

/**
 * Makes the account of whoever a provider has just vouched for in this browser, and signs in. Who they are is what the provider
 * said: `uid` and `email` are compared with it, a password is not kept. The specification's payload; all of it may be left out.
 */
export const registerSocial = defineCall({
  method: 'POST',
  path: 'api/registerSocial',
  access: 'public',
  ownAccounts: true,
  limits: ['register', 'register-account', 'sessions'],
  body: z.object({
    username: z.optional(z.string()),
    uid: z.optional(z.string()),
    email: z.optional(z.string()),
    password: z.optional(z.string()),
    locale: z.optional(langKey),
    /** Of the first account in production: the key that the start printed (`account.firstKeyRequired`). */
    firstKey: z.optional(z.string()),
  }),
  reply: z.object({ id_token: z.nullable(z.string()), secondStep: z.nullable(secondStep), rememberMe: z.boolean() }),
});

const accountIdentity = z.object({
  id: z.string(),
  /** As its button has it. */
  provider: z.string(),
  linkedDate: z.string(),
  lastUsedDate: z.string(),
  /** Since when it opens the account no more; null: it does. */
  unboundDate: z.nullable(z.string()),
});
export type AccountIdentity = z.infer<typeof accountIdentity>;

const own = { access: ['ROLE_USER', 'ROLE_ADMIN'], ownAccounts: true } as const;
const changing = {
  ...own,
  method: 'POST',
  limits: proofLimits,
  params: z.object({ id: z.string() }),
  body: z.object({ proof }),
  kind: 'empty',
} as const;

/** The providers through which the account is entered, and those that its holder unbound. */
export const listAccountIdentities = defineCall({
  ...own,
  method: 'GET',
  path: 'api/account/identities',
  reply: z.object({ identities: z.array(accountIdentity) }),
});

/** The provider opens the account no more, and every other session ends. Never the last way in. */
export const unbindIdentity = defineCall({ ...changing, path: 'api/account/identities/:id/unbind' });

/** One that was unbound opens the account again. */
export const rebindIdentity = defineCall({ ...changing, path: 'api/account/identities/:id/rebind' });
