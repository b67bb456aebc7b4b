import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { defineEntity, reference } from './entity.ts';

const access = ['ROLE_USER', 'ROLE_ADMIN'] as const;

const entity = defineEntity({
  path: 'application-users',
  id: 'uuid',
  access,
  written: {
    /** The person's CPF; a mask is taken off. One that a provider of identities has confirmed stays. */
    legalIdentifier: z.optional(z.nullable(z.string().check(z.maxLength(20)))),
  },
  read: { user: reference, company: z.nullable(reference), createdDate: z.string() },
  sorts: ['user', 'company', 'createdDate'],
  sentBack: true,
});

/**
 * The people of the application (section 3): an account, its CPF and its company. Everybody has their own; who administers the
 * installation has all. Each account has one from its first day, so that nobody makes a second, and it goes with the account.
 */
export const applicationUsers = {
  ...entity,
  create: defineCall({
    ...entity.create,
    body: z.object({ ...entity.written, user: reference, company: z.optional(z.nullable(reference)) }),
  }),
  remove: defineCall({ ...entity.remove, access: ['ROLE_ADMIN'] as const }),
};
