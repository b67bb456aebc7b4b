import type { Generated } from 'kysely';

/** A plan; a quota that is null has no limit. `storage` in megabytes. */
export interface ContractTypeTable {
  id: Generated<number>;
  name: string;
  documents: number | null;
  digital_signatures: number | null;
  electronic_signatures: number | null;
  storage: number | null;
  account_users_limit: number | null;
  version: Generated<number>;
  /** The name without accents and case. */
  search: Generated<string>;
}

export interface ContractTables {
  contract_type: ContractTypeTable;
}
