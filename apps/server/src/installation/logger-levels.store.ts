import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Mark } from './marks.store.ts';

type Db = Pick<Ctx, 'db'>;

export function listLoggerLevels({ db }: Db): Promise<{ name: string; level: string }[]> {
  return db.selectFrom('logger_level').select(['name', 'level']).execute();
}

export const levelsMark: Mark = sql`(select json_object_agg(name, level order by name)::text from logger_level)`;

/** Null: as the start said. */
export async function writeLoggerLevel(tx: Ctx, name: string, level: string | null): Promise<void> {
  if (level === null) {
    await tx.db.deleteFrom('logger_level').where('name', '=', name).execute();
    return;
  }
  const row = { level, changed_at: tx.clock.now() };
  await tx.db
    .insertInto('logger_level')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}
