import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/** A browser that an account is signed in with. */
export const accountSession = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  /** As the browser told it when it signed in. */
  userAgent: z.string(),
  createdDate: z.string(),
  /** To ten minutes: when its token was renewed. */
  lastUsedDate: z.string(),
  expiresDate: z.string(),
});
export type AccountSession = z.infer<typeof accountSession>;

/** Sessions of the caller's account that have not ended, the one used last first. */
export const getSessions = defineCall({
  method: 'GET',
  path: 'api/account/sessions',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  reply: z.object({ sessions: z.array(accountSession) }),
});

/** Ends every session of the account but the caller's. */
export const endOtherSessions = defineCall({
  method: 'DELETE',
  path: 'api/account/sessions',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  kind: 'empty',
});

/** Ends one session of the account; the caller's own is signed out. */
export const endSession = defineCall({
  method: 'DELETE',
  path: 'api/account/sessions/:id',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  params: z.object({ id: z.string() }),
  kind: 'empty',
});

/** The link of the mail to a new address, opened by who is signed in to the account: the address takes effect now. */
export const confirmEmail = defineCall({
  method: 'POST',
  path: 'api/account/email',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  ownAccounts: true,
  body: z.object({ key: z.string() }),
  /** The account's address from now on. */
  reply: z.object({ email: z.string() }),
});

/** A change of address that waits for its confirmation is given up. */
export const cancelEmailChange = defineCall({
  method: 'DELETE',
  path: 'api/account/email',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  kind: 'empty',
});
