import { type Kysely, sql } from 'kysely';

/**
 * The signer's link that a mail invites to, until it is sent: it is due only while that link is open and its signer is waited for. Null: due in any
 * case, as those of older nodes are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail add column of_link uuid`.execute(db);
}
