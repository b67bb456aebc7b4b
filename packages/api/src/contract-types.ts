import * as z from 'zod/mini';
import { defineEntity, type EntityItem } from './entity.ts';

/** A quota as it is entered: a number as text, or blank for no limit. */
const quota = z.optional(z.nullable(z.string()));

/** The plans (section 3): names, and quotas as text. `storage` is in megabytes. */
export const contractTypes = defineEntity({
  path: 'contract-types',
  id: 'integer',
  access: ['ROLE_ADMIN'],
  written: {
    name: z.string(),
    documents: quota,
    digitalSignatures: quota,
    eletronicSignatures: quota,
    storage: quota,
    accountUsersLimit: quota,
  },
  read: {},
  sorts: ['id', 'name', 'documents', 'digitalSignatures', 'eletronicSignatures', 'storage', 'accountUsersLimit'],
});
export type ContractType = EntityItem<typeof contractTypes>;
