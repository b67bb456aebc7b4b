import { type RawBuilder, sql } from 'kysely';

/**
 * SQL that holds an account until the end, as a row that names it does by its key: for a statement that holds more. Its keys are looked at when
 * all of it is written, and whoever holds an account and a contract has the account first.
 */
export function namedAccount(id: string): RawBuilder<unknown> {
  return sql`select 1 from app_user where id = ${id} for key share`;
}
