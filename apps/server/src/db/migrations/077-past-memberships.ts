import { type Kysely, sql } from 'kysely';

const statements = [
  // What somebody sent between `since` and `until` is kept for the days that held when they left their company, or it was deleted.
  `create table past_membership (
    id bigint generated always as identity primary key,
    user_id uuid not null references app_user (id) on delete cascade,
    since timestamptz not null,
    until timestamptz not null,
    days integer not null check (days > 0)
  )`,
  `create index past_membership_of_user on past_membership (user_id)`,
];

/** The days that a company keeps files outlast the membership of who sent them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
