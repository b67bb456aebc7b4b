import { type Kysely, sql } from 'kysely';

/**
 * The security log lets a year's rows go by the clock that wrote them: whoever removes says what time it is, in their transaction
 * alone. Whoever says nothing is held by the database's clock, as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create or replace function refuse_audit_change() returns trigger language plpgsql as $$
       begin
         if tg_op = 'DELETE'
           and old.at < coalesce(nullif(current_setting('lavra.now', true), '')::timestamptz, now()) - interval '365 days'
         then return old; end if;
         raise exception 'audit events are append-only';
       end $$`,
    )
    .execute(db);
}
