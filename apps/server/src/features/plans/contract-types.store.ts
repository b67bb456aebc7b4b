import { contractTypes } from '@lavra/api';
import { basicContractTypeId, checkedContractType, DomainError } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { EntityRoom } from '../../entities/entity-room.ts';

/** A plan; a quota that is null has no limit, `storage` is in megabytes. */
interface ContractTypeRow {
  name: string;
  documents: number | null;
  digital_signatures: number | null;
  electronic_signatures: number | null;
  storage: number | null;
  account_users_limit: number | null;
}

const text = (quota: number | null): string | null => (quota === null ? null : String(quota));

/** Plans: the administrators' (the calls admit nobody else), all of them everyone's. */
export const contractTypeRoom: EntityRoom<typeof contractTypes> = {
  entity: contractTypes,
  table: 'contract_type',
  scope: () => sql`true`,
  audited: true,
  sorts: {
    id: { column: 'id' },
    name: { column: 'name', text: true },
    documents: { column: 'documents' },
    digitalSignatures: { column: 'digital_signatures' },
    eletronicSignatures: { column: 'electronic_signatures' },
    storage: { column: 'storage' },
    accountUsersLimit: { column: 'account_users_limit' },
  },
  toRow(written) {
    const { name, documents, storage, ...limits } = checkedContractType(written);
    return {
      name,
      documents,
      digital_signatures: limits.digitalSignatures,
      electronic_signatures: limits.eletronicSignatures,
      storage,
      account_users_limit: limits.accountUsersLimit,
    };
  },
  fromRow(row) {
    const type = row as unknown as ContractTypeRow;
    return {
      name: type.name,
      documents: text(type.documents),
      digitalSignatures: text(type.digital_signatures),
      eletronicSignatures: text(type.electronic_signatures),
      storage: text(type.storage),
      accountUsersLimit: text(type.account_users_limit),
    };
  },
  beforeRemoval(_ctx, id) {
    if (id === basicContractTypeId) throw new DomainError('record.permanent');
  },
  refusals: { taken: { code: 'record.nameTaken', field: 'name' } },
};

/** What these plans are called. */
export async function namePlans(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`select id, name from contract_type where id = any(${ids})`.execute(ctx.db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
