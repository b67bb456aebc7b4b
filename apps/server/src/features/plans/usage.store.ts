import { isContractSuspended, type Modality, type QuotaUse } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** The contract that covers somebody: what its plan allows, and what of it is used or reserved. */
export interface PlanUse {
  contractId: number;
  period: number;
  /** It has passed, or was stopped. */
  isSuspended: boolean;
  documents: QuotaUse;
  digitalSignatures: QuotaUse;
  eletronicSignatures: QuotaUse;
  /** Bytes, of megabytes. */
  storage: QuotaUse;
  accountUsersLimit: number | null;
}

interface PlanRow {
  id: number;
  validity: Date;
  suspended: boolean;
  period: number;
  documents: number | null;
  digital_signatures: number | null;
  electronic_signatures: number | null;
  storage: number | null;
  account_users_limit: number | null;
  uploaded_documents: number;
  digital_taken: number;
  electronic_taken: number;
  storage_used: number;
}

/** Null: no contract covers them, and no plan bounds them. `hold` keeps the contract's row for the rest of the transaction: nobody else counts in it. */
export async function findPlanUse(ctx: Ctx, userId: string, hold: 'hold' | 'read'): Promise<PlanUse | null> {
  const now = ctx.clock.now();
  const { rows } = await sql<PlanRow>`
    select c.id, c.period, c.validity, c.suspended, t.documents, t.digital_signatures, t.electronic_signatures, t.storage, t.account_users_limit,
      c.uploaded_documents, c.storage_used,
      c.digital_signatures_done + c.digital_reserved as digital_taken,
      c.electronic_signatures_done + c.electronic_reserved as electronic_taken
    from contract c join contract_type t on t.id = c.contract_type_id
    where c.id = (select covering_contract(${userId}, ${now}))
    ${hold === 'hold' ? sql`for no key update of c` : sql``}`.execute(ctx.db);
  const [row] = rows;
  if (!row) return null;
  return {
    contractId: row.id,
    period: row.period,
    isSuspended: isContractSuspended(row, now),
    documents: { taken: row.uploaded_documents, quota: row.documents },
    digitalSignatures: { taken: row.digital_taken, quota: row.digital_signatures },
    eletronicSignatures: { taken: row.electronic_taken, quota: row.electronic_signatures },
    storage: { taken: row.storage_used, quota: row.storage },
    accountUsersLimit: row.account_users_limit,
  };
}

type Counted = Pick<PlanUse, 'contractId' | 'period'>;

/** A document and its bytes, as used. Whatever is there already is counted already. */
export async function insertDocumentUse(tx: Ctx, { contractId, period }: Counted, document: { id: string; size: number }): Promise<void> {
  const row = { subject_id: document.id, contract_id: contractId, period, signature_process_id: null, state: 'used' as const };
  const created_at = tx.clock.now();
  await tx.db
    .insertInto('contract_usage')
    .values([
      { ...row, kind: 'document', amount: 1, created_at, settled_at: null },
      { ...row, kind: 'storage', amount: document.size, created_at, settled_at: null },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Signatures that are to be made, in one statement however many they are. */
export async function insertReservations(
  tx: Ctx,
  { contractId, period }: Counted,
  process: { id: string; modality: Modality; signatureIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into contract_usage (kind, subject_id, contract_id, period, signature_process_id, amount, state, created_at)
    select ${process.modality}, id, ${contractId}, ${period}, ${process.id}, 1, 'reserved', ${tx.clock.now()}
    from unnest(${process.signatureIds}::uuid[]) as id
    on conflict do nothing`.execute(tx.db);
}
