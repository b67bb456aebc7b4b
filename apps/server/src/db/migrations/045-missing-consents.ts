import { type Kysely, sql } from 'kysely';

/** An act whose client sent no word of the consent is kept as one without (null), never as one with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`alter table signature_evidence alter column consent_text drop not null, alter column consent_hash drop not null,
    add constraint signature_evidence_consent_whole check ((consent_text is null) = (consent_hash is null))`)
    .execute(db);
}
