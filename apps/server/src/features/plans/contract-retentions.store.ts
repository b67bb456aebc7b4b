import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** Whose contracts keep files for some days only, after `after`. */
export async function listRetainingOwners(ctx: Ctx, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct application_user_id as id from contract
    where storage_retention_time is not null and application_user_id is not null and (${after}::uuid is null or application_user_id > ${after}::uuid)
    order by application_user_id limit ${limit}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** The days that the contract which covers somebody keeps their files; null: it says none, or there is no contract. */
export async function findContractDays(ctx: Ctx, userId: string): Promise<number | null> {
  const { rows } = await sql<{ days: number | null }>`
    select storage_retention_time as days from contract where id = covering_contract(${userId}, ${ctx.clock.now()})`.execute(ctx.db);
  return rows[0]?.days ?? null;
}
