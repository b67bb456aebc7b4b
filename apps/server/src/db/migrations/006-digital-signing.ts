import { type Kysely, sql } from 'kysely';

const statements = [
  // What an attempt waits for. `secret`: the pending authorisation or the token, encrypted; gone when the attempt closes.
  `alter table signing_attempt
    add column expires_at timestamptz,
    add column psc text,
    add column state_hash text unique,
    add column browser_hash text,
    add column secret bytea`,
  // A stamp may be the creator's model without a picture; the certificate is the signer's own.
  `alter table signature_evidence alter column image_hash drop not null, alter column image_content_type drop not null`,
  `alter table signature_evidence add column certificate bytea`,
  // What we mean to sign is written down before anyone is asked to sign it; the value as soon as it is there.
  `create table prepared_signature (
    attempt_id uuid not null references signing_attempt (id),
    document_id uuid not null references document (id),
    seq integer not null,
    prepared bytea not null,
    value bytea,
    primary key (attempt_id, document_id)
  )`,
  `alter table prepared_signature alter column prepared set storage external`,
  // Two signers never prepare on the same revision: one at a time holds a process's documents, for minutes at most.
  `create table signing_lease (
    signature_process_id uuid primary key references signature_process (id),
    attempt_id uuid not null references signing_attempt (id),
    expires_at timestamptz not null
  )`,
];

/** Signing with a certificate whose key is elsewhere: in a cloud, in a file, in a token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
