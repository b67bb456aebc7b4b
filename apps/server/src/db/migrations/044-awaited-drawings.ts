import { type Kysely, sql } from 'kysely';

const statements = [
  // A signature that a computer waits for while it is drawn on a telephone: minutes, then the row goes.
  `create table awaited_drawing (
    id text primary key,
    key_hash text not null unique,
    signer_id uuid not null references signer (id) on delete cascade,
    until timestamptz not null,
    picture bytea
  )`,
  `create index awaited_drawing_signer on awaited_drawing (signer_id)`,
  `create index awaited_drawing_until on awaited_drawing (until)`,
];

/** Drawings that are handed from a telephone to the computer that asked for them (docs/decisions/053). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
