import { type Kysely, sql } from 'kysely';

const statements = [
  // In single sign-on mode no other session holds, and outside of it none of these.
  `alter table session add column single_sign_on boolean not null default false`,
  // What the provider of single sign-on said of a session. Null of \`sealed\`: it cannot be asked again, and the session ends when what it said is over.
  `create table sso_session (
    session_id uuid primary key references session (id) on delete cascade,
    provider text not null,
    subject text not null,
    sealed bytea,
    permissions text[] not null,
    vouched_until timestamptz not null,
    asked_until timestamptz
  )`,
];

/** Sessions that the provider of single sign-on vouches for. Needs the sessions of 001. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
