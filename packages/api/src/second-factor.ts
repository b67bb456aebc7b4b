import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { newPasskey, passkeyAnswer, passkeyCreation, passkeyRequest } from './passkeys.ts';

/** What may be shown in the second step of a sign-in. */
export const secondFactorKind = z.enum(['passkey', 'totp', 'backupCode']);
export type SecondFactorKind = z.infer<typeof secondFactorKind>;

/** What is still wanted before a session opens. Good for minutes, once, in the browser that it was given to. */
export const secondStep = z.object({
  challenge: z.string(),
  expiresDate: z.string(),
  /** The installation requires a second factor and the account has none: it gets one now (`beginSecondFactor`). */
  enrol: z.boolean(),
  /** What the account has. */
  methods: z.array(secondFactorKind),
  /** For `navigator.credentials.get`, where a passkey is among the methods. */
  passkey: z.nullable(passkeyRequest),
  /** Whether a passkey can be made here: not where the product's address is an IP address. */
  passkeysOffered: z.boolean(),
});
export type SecondStep = z.infer<typeof secondStep>;

/** A way in ends with a token, or with a second step. */
export const entered = z.union([
  z.object({ id_token: z.string(), secondStep: z.optional(z.never()) }),
  z.object({ id_token: z.optional(z.never()), secondStep }),
]);
export type Entered = z.infer<typeof entered>;

const challenge = z.string().check(z.maxLength(200));
/** Six digits of an app; spaces between them are what apps show. */
const code = z.string().check(z.maxLength(20));
const backupCode = z.string().check(z.maxLength(40));
const passkeyName = z.string().check(z.maxLength(200));

/** A new app: its secret as text, as an address (`otpauth:`) and as a picture (data URL) of that address. */
const newTotp = z.object({ secret: z.string(), address: z.string(), picture: z.string() });
/** Shown once; there when this was the account's first factor. */
const backupCodes = z.nullable(z.array(z.string()));

/** The second step: one of what the account has. */
export const finishSignIn = defineCall({
  method: 'POST',
  path: 'api/authenticate/second-step',
  access: 'public',
  ownAccounts: true,
  limits: ['second-step', 'second-factor', 'second-factor-day', 'second-factor-device'],
  body: z.object({
    challenge,
    code: z.optional(code),
    backupCode: z.optional(backupCode),
    passkey: z.optional(passkeyAnswer),
  }),
  reply: z.object({ id_token: z.string() }),
});

/** In the second step of an account that has no factor and needs one. */
export const beginSecondFactor = defineCall({
  method: 'POST',
  path: 'api/authenticate/second-factor',
  access: 'public',
  ownAccounts: true,
  limits: ['second-step'],
  body: z.object({ challenge, kind: z.enum(['passkey', 'totp']) }),
  reply: z.object({ totp: z.nullable(newTotp), passkey: z.nullable(passkeyCreation) }),
});

/** The factor that was begun is proven, kept, and opens the session. */
export const finishSecondFactor = defineCall({
  method: 'POST',
  path: 'api/authenticate/second-factor/finish',
  access: 'public',
  ownAccounts: true,
  limits: ['second-step', 'second-factor', 'second-factor-day', 'second-factor-device'],
  body: z.object({
    challenge,
    code: z.optional(code),
    passkey: z.optional(newPasskey),
    name: z.optional(passkeyName),
  }),
  reply: z.object({ id_token: z.string(), backupCodes }),
});

/** Signing in with a passkey alone: whoever has it says whose it is. */
export const beginPasskeySignIn = defineCall({
  method: 'POST',
  path: 'api/authenticate/passkey',
  access: 'public',
  ownAccounts: true,
  limits: ['passkey'],
  reply: z.object({ challenge: z.string(), passkey: passkeyRequest }),
});

/** What the passkey answered opens the session: it has seen its holder, and no second step follows. */
export const finishPasskeySignIn = defineCall({
  method: 'POST',
  path: 'api/authenticate/passkey/finish',
  access: 'public',
  ownAccounts: true,
  limits: ['passkey', 'sessions'],
  body: z.object({ challenge, passkey: passkeyAnswer, rememberMe: z.optional(z.boolean()) }),
  reply: z.object({ id_token: z.string() }),
});

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdDate: z.string(),
  lastUsedDate: z.nullable(z.string()),
  /** Whether it is kept by a service (an account of the maker), and not in one device alone. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

export const secondFactors = z.object({
  /** Whether the installation wants one of this account. */
  required: z.boolean(),
  totp: z.nullable(z.object({ createdDate: z.string(), lastUsedDate: z.nullable(z.string()) })),
  passkeys: z.array(passkey),
  backupCodesLeft: z.number(),
  passkeysOffered: z.boolean(),
  /** Whether the account's password can be asked for; not of a social account. */
  hasPassword: z.boolean(),
});
export type SecondFactors = z.infer<typeof secondFactors>;

const holder = ['ROLE_USER', 'ROLE_ADMIN'] as const;

/** What the account has beside its password, and whether the installation wants it to. */
export const getSecondFactors = defineCall({
  method: 'GET',
  path: 'api/account/second-factors',
  access: holder,
  ownAccounts: true,
  reply: secondFactors,
});

/** Shown again before a factor is added or removed: the password, or a factor that the account has. */
export const proof = z.object({
  password: z.optional(z.string().check(z.maxLength(200))),
  code: z.optional(code),
  passkey: z.optional(z.object({ challenge, answer: passkeyAnswer })),
});
export type Proof = z.infer<typeof proof>;

export const proofLimits = ['second-factor-proof', 'second-factor', 'second-factor-day', 'second-factor-device'] as const;

/** Asks the account's passkeys, for a proof. */
export const askPasskey = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/ask-passkey',
  access: holder,
  ownAccounts: true,
  limits: ['second-factor-proof'],
  reply: z.object({ challenge: z.string(), passkey: passkeyRequest }),
});

/** Shows a secret for an authenticator app; it is no factor before `confirmTotp`. */
export const beginTotp = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/totp',
  access: holder,
  ownAccounts: true,
  limits: proofLimits,
  body: z.object({ proof }),
  reply: newTotp,
});

/** The app becomes a factor by its first code. */
export const confirmTotp = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/totp/confirm',
  access: holder,
  ownAccounts: true,
  limits: proofLimits,
  body: z.object({ code }),
  reply: z.object({ backupCodes }),
});

/** The app is no factor any more. */
export const removeTotp = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/totp/remove',
  access: holder,
  ownAccounts: true,
  limits: proofLimits,
  body: z.object({ proof }),
  kind: 'empty',
});

/** What the browser makes a new passkey with. */
export const beginPasskey = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/passkeys/begin',
  access: holder,
  ownAccounts: true,
  limits: proofLimits,
  body: z.object({ proof }),
  reply: z.object({ challenge: z.string(), passkey: passkeyCreation }),
});

/** The passkey that was made becomes a factor, under a name. */
export const addPasskey = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/passkeys',
  access: holder,
  ownAccounts: true,
  limits: ['second-factor-proof'],
  body: z.object({ challenge, passkey: newPasskey, name: passkeyName }),
  reply: z.object({ id: z.string(), backupCodes }),
});

/** Another name for a passkey of the account. */
export const renamePasskey = defineCall({
  method: 'PUT',
  path: 'api/account/second-factors/passkeys/:id',
  access: holder,
  ownAccounts: true,
  params: z.object({ id: z.string() }),
  body: z.object({ name: passkeyName }),
  kind: 'empty',
});

/** The passkey is no factor any more. */
export const removePasskey = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/passkeys/:id/remove',
  access: holder,
  ownAccounts: true,
  limits: proofLimits,
  params: z.object({ id: z.string() }),
  body: z.object({ proof }),
  kind: 'empty',
});

/** Ten new ones; those of before are good for nothing. */
export const renewBackupCodes = defineCall({
  method: 'POST',
  path: 'api/account/second-factors/backup-codes',
  access: holder,
  ownAccounts: true,
  limits: proofLimits,
  body: z.object({ proof }),
  reply: z.object({ backupCodes: z.array(z.string()) }),
});

/** Whose accounts need a second factor. */
export const secondFactorDemand = z.enum(['nobody', 'administrators', 'everybody']);
export type SecondFactorDemand = z.infer<typeof secondFactorDemand>;

/** Whose accounts need a second factor, and how many have one. */
export const getSecondFactorPolicy = defineCall({
  method: 'GET',
  path: 'api/admin/second-factor-policy',
  access: ['ROLE_ADMIN'],
  ownAccounts: true,
  reply: z.object({
    requiredOf: secondFactorDemand,
    /** Active accounts, and how many of them have a factor. */
    accounts: z.number(),
    withFactor: z.number(),
  }),
});

/** From its next sign-in an account that needs a factor and has none gets one. */
export const saveSecondFactorPolicy = defineCall({
  method: 'PUT',
  path: 'api/admin/second-factor-policy',
  access: ['ROLE_ADMIN'],
  ownAccounts: true,
  body: z.object({ requiredOf: secondFactorDemand }),
  kind: 'empty',
});

/** An account that lost its factors signs in with its password again; its sessions end and it is told by mail. */
export const resetSecondFactor = defineCall({
  method: 'POST',
  path: 'api/admin/users/:id/reset-second-factor',
  access: ['ROLE_ADMIN'],
  params: z.object({ id: z.string() }),
  kind: 'empty',
});
