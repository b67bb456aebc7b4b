import * as z from 'zod/mini';
import { authority, langKey } from './authority.ts';
import { defineCall } from './call.ts';
import { entered } from './second-factor.ts';

export const account = z.object({
  id: z.string(),
  login: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  langKey,
  /** IANA's name: instants are shown, and deadlines chosen, in it. */
  timeZone: z.string(),
  /** A new address that waits for its confirmation. */
  pendingEmail: z.nullable(z.string()),
  activated: z.boolean(),
  authorities: z.array(authority),
  /** 'password' or the social provider's id: social-login users do not see change password. */
  loginType: z.string(),
  /** The company it belongs to; `maxDocSize` in megabytes. */
  company: z.nullable(z.object({ id: z.string(), authority, maxDocSize: z.nullable(z.int()) })),
  /** The account's own CPF and the provider whose word it is; null: nobody has confirmed one. */
  confirmedCpf: z.nullable(z.object({ cpf: z.string(), by: z.string(), at: z.string() })),
  createdDate: z.string(),
});
export type Account = z.infer<typeof account>;

/** The account that is signed in. */
export const getAccount = defineCall({
  method: 'GET',
  path: 'api/account',
  access: 'session',
  reply: account,
});

/** Changes names, language and time zone of one's own account. */
export const saveAccount = defineCall({
  method: 'POST',
  path: 'api/account',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  limits: ['change-email'],
  body: z.object({
    firstName: z.string(),
    lastName: z.string(),
    /** Another one than the account's takes effect when the link that is mailed there is opened (`confirmEmail`). */
    email: z.optional(z.string()),
    langKey,
    timeZone: z.optional(z.string()),
    /** Of a change of e-mail: whoever finds a computer open does not take the account away. */
    currentPassword: z.optional(z.string()),
  }),
  kind: 'empty',
});

/** A new password in place of the current one; every other session ends. */
export const changePassword = defineCall({
  method: 'POST',
  path: 'api/account/change-password',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  ownAccounts: true,
  limits: ['change-password'],
  body: z.object({ currentPassword: z.string(), newPassword: z.string() }),
  kind: 'empty',
});

/** Mails a link for a new password, where the address has an account; answers alike where not. */
export const requestPasswordReset = defineCall({
  method: 'POST',
  path: 'api/account/reset-password/init',
  access: 'public',
  ownAccounts: true,
  limits: ['reset', 'reset-account'],
  /** The specification's text body: the e-mail itself (text/plain; JSON {email} is accepted too). */
  body: z.union([z.string(), z.object({ email: z.string() })]),
  kind: 'empty',
  // Whoever asks.
  status: 200,
});

/** A new password by the key that was mailed; every session ends. */
export const finishPasswordReset = defineCall({
  method: 'POST',
  path: 'api/account/reset-password/finish',
  access: 'public',
  ownAccounts: true,
  limits: ['reset-finish'],
  body: z.object({ key: z.string(), newPassword: z.string() }),
  kind: 'empty',
});

/** The specification's call: good in the browser that registered, which keeps the proof in a cookie. */
export const activateAccount = defineCall({
  method: 'GET',
  path: 'api/activate',
  access: 'public',
  ownAccounts: true,
  limits: ['activate'],
  query: z.object({ key: z.string() }),
  kind: 'empty',
});

/**
 * What our page calls. In the browser that registered the key is enough (elsewhere: `account.proofRequired`); else it takes
 * the password chosen there, or a new password and a name, which replace what whoever registered had chosen.
 */
export const confirmAccount = defineCall({
  method: 'POST',
  path: 'api/activate',
  access: 'public',
  ownAccounts: true,
  limits: ['activate', 'activate-key'],
  body: z.object({
    key: z.string(),
    password: z.optional(z.string()),
    newPassword: z.optional(z.string()),
    firstName: z.optional(z.string()),
  }),
  kind: 'empty',
});

/** Makes an account; a link is mailed that activates it. */
export const register = defineCall({
  method: 'POST',
  path: 'api/register',
  access: 'public',
  ownAccounts: true,
  limits: ['register', 'register-account'],
  body: z.object({
    firstName: z.string(),
    /** Ours: our form sends what follows the first name here. */
    lastName: z.optional(z.string()),
    login: z.string(),
    email: z.string(),
    password: z.string(),
    langKey: z.optional(langKey),
    /** Of the first account in production: the key that the start printed (`account.firstKeyRequired`). */
    firstKey: z.optional(z.string()),
  }),
  /** `activated` true: the first account of an empty installation, which needs no e-mail and is signed in, as by `authenticate`. */
  reply: z.object({ activated: z.boolean(), id_token: z.optional(z.string()) }),
});

/** Signs in with e-mail and password. The token comes in the Authorization header and as `id_token`. */
export const authenticate = defineCall({
  method: 'POST',
  path: 'api/authenticate',
  access: 'public',
  ownAccounts: true,
  limits: ['login', 'login-device', 'login-address', 'login-account', 'sessions'],
  body: z.object({
    username: z.string(),
    password: z.string(),
    rememberMe: z.optional(z.boolean()),
    email: z.optional(z.string()),
  }),
  /** The token, also answered as `Authorization: Bearer …`, good for minutes (`refreshSession`); or the second step (`finishSignIn`). */
  reply: entered,
});

/**
 * A new token for the session of the Bearer token, however old that is, in the browser that signed in (its cookie is renewed
 * with it). 401: the session is over.
 */
export const refreshSession = defineCall({
  method: 'POST',
  path: 'api/refresh',
  access: 'public',
  limits: ['refresh'],
  reply: z.object({ id_token: z.string() }),
});

/** Revokes the session of the Bearer token. */
export const logout = defineCall({
  method: 'POST',
  path: 'api/logout',
  access: 'session',
  kind: 'empty',
});

/** Whether the account may sign in, or create processes. */
export const hasPermission = defineCall({
  method: 'GET',
  path: 'api/applicationUser/hasPermission',
  access: 'authenticated',
  query: z.object({ actionFlowWebType: z.enum(['CREATE_PROCESS', 'LOGIN']) }),
  reply: z.boolean(),
});

/** The e-mail of whoever is signed in. */
export const getEmailUserLogged = defineCall({
  method: 'GET',
  path: 'api/getEmailUserLogged',
  access: 'authenticated',
  reply: z.string(),
});
/** The e-mail of whoever is signed in, under its other name. */
export const getIdUserLogged = defineCall({
  method: 'GET',
  path: 'api/getIdUserLogged',
  access: 'authenticated',
  reply: z.string(),
});

/** Application profile: what the browser needs before anyone signs in. */
export const getManagementInfo = defineCall({
  method: 'GET',
  path: 'management/info',
  access: 'public',
  reply: z.object({
    activeProfiles: z.array(z.string()),
    'display-ribbon-on-profiles': z.string(),
    /** True on an empty installation in development: the first account registered becomes the administrator. In production nobody is told. */
    firstAccount: z.boolean(),
    ssoEnabled: z.boolean(),
    socialProviders: z.array(z.object({ id: z.string(), name: z.string() })),
    maxUploadBytes: z.number(),
    /** Address of the development mailbox page; null outside development. */
    mailboxUrl: z.nullable(z.string()),
  }),
});
