import * as z from 'zod/mini';
import { defineCall } from './call.ts';

const params = z.object({ id: z.string() });

/** Everything that is kept of an account's person, and the files that are theirs, as one ZIP (LGPD, art. 18, II and V). */
export const exportPersonalData = defineCall({
  method: 'GET',
  path: 'api/admin/users/:id/personal-data',
  access: ['ROLE_ADMIN'],
  limits: ['personal-data'],
  params,
  kind: 'file',
});

/** Erases what is kept of an account's person and is no evidence (LGPD, art. 16 and 18, VI); for good. */
export const erasePersonalData = defineCall({
  method: 'POST',
  path: 'api/admin/users/:id/erase',
  access: ['ROLE_ADMIN'],
  limits: ['personal-data'],
  params,
  body: z.object({
    /** The account's address, typed by whoever erases it. */
    email: z.string(),
  }),
  kind: 'empty',
});

/** Everything that is kept of a person who has no account, by the address that others named, as one ZIP (LGPD, art. 18, II). */
export const exportPerson = defineCall({
  method: 'POST',
  path: 'api/admin/personal-data/export',
  access: ['ROLE_ADMIN'],
  limits: ['personal-data'],
  body: z.object({ email: z.string() }),
  kind: 'file',
});

/** Erases what is kept of a person who has no account and is no evidence (LGPD, art. 16 and 18, VI); for good. */
export const erasePerson = defineCall({
  method: 'POST',
  path: 'api/admin/personal-data/erase',
  access: ['ROLE_ADMIN'],
  limits: ['personal-data'],
  body: z.object({
    email: z.string(),
    /** The address once more, typed. */
    confirmed: z.string(),
  }),
  kind: 'empty',
});
