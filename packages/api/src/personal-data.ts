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
