import { contracts } from '@lavra/api';
import { checkedContract, isContractSuspended, type PaymentType } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { EntityRoom, Row } from '../../entities/entity-room.ts';

/** A contract; counters since the last save, `storage_used` in bytes. */
interface ContractRow {
  id: number;
  application_user_id: string | null;
  contract_type_id: number;
  validity: Date;
  suspended: boolean;
  payment_type: PaymentType;
  storage_retention_time: number | null;
  uploaded_documents: number;
  digital_signatures_done: number;
  electronic_signatures_done: number;
  storage_used: number;
  period: number;
  created_at: Date;
}

/** Whose contract it is, as the entity machine hands its row to whoever follows a change. */
export const ownerOf = (row: Row): string | null => (row as unknown as ContractRow).application_user_id;

/** Megabytes, a hundredth at least of what is more than nothing. */
const megabytes = (bytes: number) => Math.ceil((bytes / 1024 / 1024) * 100) / 100;

/** Contracts: the administrators' (the calls admit nobody else), all of them. What their people and plans are called is added above. */
export const contractRows: EntityRoom<typeof contracts> = {
  entity: contracts,
  table: 'contract',
  scope: () => sql`true`,
  audited: true,
  sorts: {
    id: { column: 'id' },
    validity: { column: 'validity' },
    created: { column: 'created_at' },
    paymentType: { column: 'payment_type' },
    uploadedDocuments: { column: 'uploaded_documents' },
    digitalSignaturesDone: { column: 'digital_signatures_done' },
    eletronicSinaturesDone: { column: 'electronic_signatures_done' },
    storageUsed: { column: 'storage_used' },
    storageRetentionTime: { column: 'storage_retention_time' },
  },
  toRow(written) {
    const { applicationUserId, suspended, ...values } = checkedContract(written);
    return {
      validity: values.validity,
      payment_type: values.paymentType,
      storage_retention_time: values.storageRetentionTime,
      contract_type_id: values.contractTypeId,
      ...(applicationUserId === undefined ? {} : { application_user_id: applicationUserId }),
      ...(suspended === undefined ? {} : { suspended }),
    };
  },
  fromRow(row) {
    const contract = row as unknown as ContractRow;
    return {
      validity: contract.validity.toISOString(),
      paymentType: contract.payment_type,
      storageRetentionTime: contract.storage_retention_time === null ? null : String(contract.storage_retention_time),
      contractType: { id: contract.contract_type_id, name: '' },
      applicationUsers: contract.application_user_id === null ? null : { id: contract.application_user_id, login: '' },
      suspended: contract.suspended,
      created: contract.created_at.toISOString(),
      uploadedDocuments: contract.uploaded_documents,
      digitalSignaturesDone: contract.digital_signatures_done,
      eletronicSinaturesDone: contract.electronic_signatures_done,
      storageUsed: megabytes(contract.storage_used),
    };
  },
  born: (ctx) => ({ created_at: ctx.clock.now(), period_since: ctx.clock.now() }),
  // Section 9: every save begins the counting anew, an edit too: it is how a contract is renewed. What they were stands in the trail of
  // the change, and what was used before the save is counted, and given back, in a period that is over.
  changed: (ctx) => ({
    uploaded_documents: 0,
    digital_signatures_done: 0,
    electronic_signatures_done: 0,
    storage_used: 0,
    period: sql`period + 1`,
    period_since: ctx.clock.now(),
  }),
  async beforeRemoval(tx, id) {
    await sql`delete from contract_usage where contract_id = ${id}`.execute(tx.db);
  },
  refusals: {
    // The key is counted by the database: nobody takes one.
    taken: { code: 'request.conflict', field: 'id' },
    unknown: {
      contract_application_user_id_fkey: { code: 'contract.ownerUnknown', field: 'applicationUsers' },
      contract_contract_type_id_fkey: { code: 'contract.typeUnknown', field: 'contractType' },
    },
  },
};

/** The contract that covers somebody: their own or their company's. Undefined: none, and no plan bounds them. */
export async function findCoveringContract(ctx: Ctx, userId: string): Promise<CoveringContract | undefined> {
  const now = ctx.clock.now();
  // By their names, and the function asked once: see `asksForAllColumns` (db/client.ts).
  const { rows } = await sql<Pick<ContractRow, 'id' | 'contract_type_id' | 'validity' | 'suspended'>>`
    select id, contract_type_id, validity, suspended from contract where id = (select covering_contract(${userId}, ${now}))`.execute(
    ctx.db,
  );
  const [row] = rows;
  return row && { id: row.id, typeId: row.contract_type_id, isSuspended: isContractSuspended(row, now) };
}

/** Whether somebody has a contract, a good one or not. */
export async function ownsContract(ctx: Ctx, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from contract where application_user_id = ${userId} limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/** SQL for whether that contract has passed, or was stopped; false: there is none. */
export function suspendedOf(userId: string, now: Date) {
  return sql<boolean>`coalesce((
    select suspended or validity <= ${now} from contract where id = (select covering_contract(${userId}, ${now}))), false)`;
}

/** What a process, a file and a signature need to know of the contract that they are counted on. */
export interface CoveringContract {
  readonly id: number;
  readonly typeId: number;
  readonly isSuspended: boolean;
}
