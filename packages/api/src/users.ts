import * as z from 'zod/mini';
import { authority, langKey } from './authority.ts';
import { defineCall } from './call.ts';
import { listOf } from './list-of.ts';
import { defineEntity, type EntityItem } from './entity.ts';

const entity = defineEntity({
  path: 'admin/users',
  id: 'uuid',
  access: ['ROLE_ADMIN'],
  written: {
    email: z.string(),
    firstName: z.string(),
    lastName: z.optional(z.nullable(z.string())),
    langKey,
    authorities: z.array(authority),
    /** Of a change alone: false deactivates an account, true gives a deactivated one back. */
    activated: z.optional(z.nullable(z.boolean())),
    /** Nobody gives somebody else a password: it is chosen by whoever reads the mail. Blank is taken, for clients that send the field. */
    password: z.optional(z.nullable(z.literal(''))),
  },
  read: {
    login: z.string(),
    state: z.enum(['notActivated', 'active', 'deactivated', 'erased']),
    /** 'password' or the social provider's id. */
    loginType: z.string(),
    /** The login of the administrator; null: the account's own holder. */
    createdBy: z.nullable(z.string()),
    createdDate: z.string(),
    lastModifiedBy: z.nullable(z.string()),
    lastModifiedDate: z.nullable(z.string()),
  },
  sorts: ['email', 'firstName', 'lastName', 'createdDate', 'lastModifiedDate'],
});

/** People's accounts, as administrators keep them (section 3: administered user). In single sign-on mode the provider's people make theirs. */
export const users = { ...entity, create: defineCall({ ...entity.create, ownAccounts: true as const }) };
export type AdministeredUser = EntityItem<typeof users>;

/** Accounts to choose from: who they are and nothing else. */
export const listLogins = defineCall({
  method: 'GET',
  path: 'api/users',
  access: ['ROLE_ADMIN'],
  query: z.object({
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))),
    size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
    sort: z.optional(z.string()),
  }),
  kind: 'list',
  reply: listOf(z.object({ id: z.string(), login: z.string() })),
});

/** The authorities that an account may hold. */
export const listAuthorities = defineCall({
  method: 'GET',
  path: 'api/authorities',
  access: ['ROLE_ADMIN'],
  reply: z.array(authority),
});

const params = z.object({ id: z.string() });
const administration = { access: ['ROLE_ADMIN'], params, kind: 'empty' } as const;

/** Shuts an account: its sessions end, and nothing but `reactivateUser` opens it. */
export const deactivateUser = defineCall({ ...administration, method: 'POST', path: 'api/admin/users/:id/deactivate' });
/** Lets a deactivated account in again. */
export const reactivateUser = defineCall({ ...administration, method: 'POST', path: 'api/admin/users/:id/reactivate' });

/** The link by which somebody confirms their address, once more. */
export const resendActivation = defineCall({
  ...administration,
  method: 'POST',
  path: 'api/admin/users/:id/activation',
  ownAccounts: true,
  limits: ['resend-activation'],
});

/** Signs somebody out everywhere; they sign in again. */
export const endUserSessions = defineCall({ ...administration, method: 'POST', path: 'api/admin/users/:id/sessions/end' });
