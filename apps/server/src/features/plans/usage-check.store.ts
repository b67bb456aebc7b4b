import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { ContractUsageTable } from '../../db/tables.ts';

/** How an act that a contract counts stands. */
export interface UsageRow {
  kind: ContractUsageTable['kind'];
  subjectId: string;
  signatureProcessId: string | null;
  amount: number;
  state: ContractUsageTable['state'];
}

export async function listContractIds(ctx: Ctx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from contract order by id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Nobody counts on the contract until the end of the transaction; what is counted by then has been committed. Its period; null: it is gone. */
export async function holdContract(tx: Ctx, id: number): Promise<number | null> {
  const { rows } = await sql<{ period: number }>`select period from contract where id = ${id} for no key update`.execute(tx.db);
  return rows[0]?.period ?? null;
}

/** Processes that have signatures which count or are reserved. */
export async function listCountedProcesses(ctx: Ctx, contractId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.signature_process_id as id from contract_usage u join contract c on c.id = u.contract_id
    where c.id = ${contractId} and u.signature_process_id is not null and (u.period = c.period or u.state = 'reserved')`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Documents that count. */
export async function listCountedDocuments(ctx: Ctx, contractId: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.subject_id as id from contract_usage u join contract c on c.id = u.contract_id
    where c.id = ${contractId} and u.period = c.period and u.kind in ('document', 'storage')`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/**
 * Writes what acts truly came to where their rows say something else, or are missing, and answers how many did. A period that is over is
 * left alone: what was found used only now is used now.
 */
export async function settleUsage(tx: Ctx, contractId: number, truth: readonly UsageRow[]): Promise<number> {
  const { rows } = await sql<{ settled: number }>`
    with settled as (
      insert into contract_usage as u (kind, subject_id, contract_id, period, signature_process_id, amount, state, created_at)
      select t.kind, t."subjectId", c.id, c.period, t."signatureProcessId", greatest(t.amount, 1), t.state, ${tx.clock.now()}
      from jsonb_to_recordset(${JSON.stringify(truth)}::jsonb)
        as t (kind text, "subjectId" uuid, "signatureProcessId" uuid, amount bigint, state text)
      join contract c on c.id = ${contractId}
      on conflict (kind, subject_id) do update set
        state = excluded.state,
        amount = case when excluded.state = 'used' then excluded.amount else u.amount end,
        period = case when excluded.state = 'used' and u.state <> 'used' then excluded.period else u.period end,
        settled_at = now()
      where u.contract_id = excluded.contract_id
        and (u.state <> excluded.state or (excluded.state = 'used' and u.amount <> excluded.amount))
        and (u.state = 'reserved' or u.period = excluded.period)
      returning 1
    ) select count(*) as settled from settled`.execute(tx.db);
  return Number(rows[0]?.settled ?? 0);
}

export type ContractCounter = 'documents' | 'digital' | 'electronic' | 'storage' | 'digitalReserved' | 'electronicReserved';

/** Sets right the counters of a contract that is held, by the rows that they are sums of. Each that differed, with what it was; none: null. */
export async function recountContract(
  tx: Ctx,
  contractId: number,
): Promise<Partial<Record<ContractCounter, { from: number; to: number }>> | null> {
  const { rows } = await sql<{ was: Record<ContractCounter, number>; is: Record<ContractCounter, number> }>`
    with truth as (
      select
        coalesce(sum(u.amount) filter (where u.kind = 'document' and counts), 0) as documents,
        coalesce(sum(u.amount) filter (where u.kind = 'digital' and counts), 0) as digital,
        coalesce(sum(u.amount) filter (where u.kind = 'electronic' and counts), 0) as electronic,
        coalesce(sum(u.amount) filter (where u.kind = 'storage' and counts), 0) as storage,
        coalesce(sum(u.amount) filter (where u.kind = 'digital' and u.state = 'reserved'), 0) as "digitalReserved",
        coalesce(sum(u.amount) filter (where u.kind = 'electronic' and u.state = 'reserved'), 0) as "electronicReserved"
      from contract c join contract_usage u on u.contract_id = c.id
        cross join lateral (select u.state = 'used' and u.period = c.period as counts) now
      where c.id = ${contractId} and (u.period = c.period or u.state = 'reserved')
    ), before as (
      select uploaded_documents as documents, digital_signatures_done as digital, electronic_signatures_done as electronic,
        storage_used as storage, digital_reserved as "digitalReserved", electronic_reserved as "electronicReserved"
      from contract where id = ${contractId}
    ), mended as (
      update contract c set
        uploaded_documents = t.documents, digital_signatures_done = t.digital, electronic_signatures_done = t.electronic,
        storage_used = t.storage, digital_reserved = t."digitalReserved", electronic_reserved = t."electronicReserved"
      from truth t, before b where c.id = ${contractId} and to_jsonb(t) <> to_jsonb(b)
      returning 1
    )
    select to_jsonb(b) as was, to_jsonb(t) as is from truth t, before b where exists (select from mended)`.execute(tx.db);
  const [row] = rows;
  if (!row) return null;
  const differed = (Object.keys(row.is) as ContractCounter[]).filter((counter) => row.was[counter] !== row.is[counter]);
  return Object.fromEntries(differed.map((counter) => [counter, { from: row.was[counter], to: row.is[counter] }]));
}
