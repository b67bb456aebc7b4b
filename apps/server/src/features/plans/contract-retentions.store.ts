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

/** The days that the contracts which cover these people keep their files; whose contract says none, or who has none, is left out. */
export async function listContractDays(ctx: Ctx, userIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; days: number }>`
    select person.id, contract.storage_retention_time as days
    from unnest(${userIds}::uuid[]) as person (id)
      join contract on contract.id = (select covering_contract(person.id, ${ctx.clock.now()}))
    where contract.storage_retention_time is not null`.execute(ctx.db);
  return new Map(rows.map(({ id, days }) => [id, days]));
}
