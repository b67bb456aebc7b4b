import { type Kysely, sql } from 'kysely';

/** Which program is at what a key stands for, by its mark (installation/presence.ts). Null: a node of the version before, or one whose mark was lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_key add column held_by integer`.execute(db);
}
