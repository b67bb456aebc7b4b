import * as z from 'zod/mini';
import { defineEntity, type EntityItem } from './entity.ts';

const paymentType = z.enum(['MONTHLY', 'YEARLY']);

/**
 * The contracts (section 3): whose, until when, under which plan, and what was used of it since the last save. A save resets the
 * counters to 0 (section 9). Nobody writes `created` and the counters: what a client sends of them is left aside.
 */
export const contracts = defineEntity({
  path: 'contracts',
  id: 'integer',
  access: ['ROLE_ADMIN'],
  written: {
    /** ISO 8601, an instant. */
    validity: z.string(),
    /** MONTHLY or YEARLY; the form's own 1 and blank are MONTHLY too, its 2 is YEARLY. */
    paymentType: z.optional(z.nullable(z.union([z.string(), z.number()]))),
    /** Days, as text; blank: as long as the company says. */
    storageRetentionTime: z.optional(z.nullable(z.string())),
    /** The chosen type, whole or its id alone; none: the one with id 1. */
    contractType: z.optional(z.nullable(z.object({ id: z.optional(z.nullable(z.int())) }))),
    /** Whose it is, by the account's id; null: nobody's, so that it covers nobody. Left out: as it was. */
    applicationUsers: z.optional(z.nullable(z.object({ id: z.optional(z.nullable(z.string())) }))),
    /** Stopped by hand; left out: as it was. */
    suspended: z.optional(z.nullable(z.boolean())),
  },
  read: {
    paymentType,
    contractType: z.object({ id: z.int(), name: z.string() }),
    applicationUsers: z.nullable(z.object({ id: z.string(), login: z.string() })),
    suspended: z.boolean(),
    created: z.string(),
    uploadedDocuments: z.int(),
    digitalSignaturesDone: z.int(),
    eletronicSinaturesDone: z.int(),
    /** Megabytes. */
    storageUsed: z.number(),
  },
  sorts: [
    'id',
    'validity',
    'created',
    'paymentType',
    'uploadedDocuments',
    'digitalSignaturesDone',
    'eletronicSinaturesDone',
    'storageUsed',
    'storageRetentionTime',
  ],
});
export type Contract = EntityItem<typeof contracts>;
