import { isContractSuspended, type Modality, type QuotaUse } from '@lavra/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { MovedOn, type Write } from '../../db/at-once.ts';

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
  const { rows } =
    await sql<PlanRow>`${selectPlanUse(userId, ctx.clock.now())} ${hold === 'hold' ? sql`for no key update of c` : sql``}`.execute(ctx.db);
  const [row] = rows;
  return row ? planUseOf(ctx, row) : null;
}

/** As JSON has it: instants are texts. */
export type PlanUseJson = Omit<PlanRow, 'validity'> & { validity: string };

/** The same as a value in a statement; `planUseIn` reads it. */
export function planUseJson(userId: string, now: Date): RawBuilder<PlanUseJson | null> {
  return sql`(select to_jsonb(p) from (${selectPlanUse(userId, now)}) as p)`;
}

export function planUseIn(ctx: Ctx, read: PlanUseJson | null): PlanUse | null {
  return read && planUseOf(ctx, { ...read, validity: new Date(read.validity) });
}

function selectPlanUse(userId: string, now: Date) {
  return sql`
    select c.id, c.period, c.validity, c.suspended, t.documents, t.digital_signatures, t.electronic_signatures, t.storage, t.account_users_limit,
      c.uploaded_documents, c.storage_used,
      c.digital_signatures_done + c.digital_reserved as digital_taken,
      c.electronic_signatures_done + c.electronic_reserved as electronic_taken
    from contract c join contract_type t on t.id = c.contract_type_id
    where c.id = (select covering_contract(${userId}, ${now}))`;
}

function planUseOf(ctx: Ctx, row: PlanRow): PlanUse {
  return {
    contractId: row.id,
    period: row.period,
    isSuspended: isContractSuspended(row, ctx.clock.now()),
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

/** What a statement takes of a plan: how many documents and bytes, or signatures. */
export type Taking = Partial<Record<'documents' | 'bytes' | 'digital' | 'electronic', number>>;

/**
 * The covering contract as a part of a statement, named `plan`, held until its end; none, and nobody is bound. The statement is not written (`MovedOn`)
 * where the plan has no room for what is taken; `isNew`: nor where the contract has passed.
 */
function planWrites(ctx: Ctx, userId: string, { documents = 0, bytes = 0, digital = 0, electronic = 0 }: Taking, isNew: boolean): Write[] {
  const now = ctx.clock.now();
  const query = sql`
    select c.id, c.period, coalesce(
      (${isNew}::boolean and (c.suspended or c.validity <= ${now}))
      or (${documents}::bigint > 0 and c.uploaded_documents + ${documents}::bigint > t.documents)
      or (${bytes}::bigint > 0 and c.storage_used + ${bytes}::bigint > t.storage::bigint * 1048576)
      or (${digital}::bigint > 0 and c.digital_signatures_done + c.digital_reserved + ${digital}::bigint > t.digital_signatures)
      or (${electronic}::bigint > 0
        and c.electronic_signatures_done + c.electronic_reserved + ${electronic}::bigint > t.electronic_signatures), false) as refuses
    from contract c join contract_type t on t.id = c.contract_type_id
    where c.id = (select covering_contract(${userId}, ${now})) for no key update of c`;
  return [
    { as: 'plan', query, isRead: true },
    { as: 'unfit', query: sql`select 1 from plan where refuses`, rows: 0, otherwise: () => new MovedOn() },
  ];
}

/** `insertDocumentUse` as parts of the statement that keeps the document. */
export function documentUseWrites(ctx: Ctx, ownerId: string, { id, size }: { id: string; size: number }): Write[] {
  const query = sql`
    insert into contract_usage (kind, subject_id, contract_id, period, amount, state, created_at)
    select u.kind, ${id}::uuid, plan.id, plan.period, u.amount, 'used', ${ctx.clock.now()}::timestamptz
    from plan, (values ('document', 1::bigint), ('storage', ${size}::bigint)) as u (kind, amount)
    on conflict do nothing`;
  return [...planWrites(ctx, ownerId, { documents: 1, bytes: size }, false), { as: 'counted', query }];
}

/** `insertReservations` as parts of the statement that makes them; `made`: the part that answers their ids. */
export function reservationWrites(
  ctx: Ctx,
  { id, ownerId, modality }: { id: string; ownerId: string; modality: Modality },
  count: number,
  made: string,
): Write[] {
  const query = sql`
    insert into contract_usage (kind, subject_id, contract_id, period, signature_process_id, amount, state, created_at)
    select ${modality}, made.id, plan.id, plan.period, ${id}::uuid, 1, 'reserved', ${ctx.clock.now()}::timestamptz
    from plan, ${sql.id(made)} as made
    on conflict do nothing`;
  return [...planWrites(ctx, ownerId, { [modality]: count }, true), { as: 'reserved', query }];
}
