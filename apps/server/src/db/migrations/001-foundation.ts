import { type Kysely, sql } from 'kysely';

const statements = [
  `create extension if not exists pg_trgm`,
  `create extension if not exists unaccent`,
  // unaccent() is only STABLE because its dictionary may change; ours does not, and an index needs IMMUTABLE.
  `create function f_unaccent(text) returns text language sql immutable parallel safe strict as $$ select public.unaccent('public.unaccent', $1) $$`,
  `create table app_user (
    id uuid primary key,
    login text not null,
    email text not null unique,
    first_name text not null,
    last_name text not null default '',
    password_hash text,
    login_type text not null,
    lang_key text not null,
    activated boolean not null,
    authorities text[] not null,
    created_at timestamptz not null
  )`,
  `create table account_key (
    key_hash text primary key,
    user_id uuid not null references app_user (id),
    purpose text not null check (purpose in ('activation', 'reset')),
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create table session (
    id uuid primary key,
    user_id uuid not null references app_user (id),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    user_agent text not null
  )`,
  `create index session_of_user on session (user_id)`,
  `create unlogged table rate_limit (
    bucket text not null,
    window_start timestamptz not null,
    count integer not null,
    primary key (bucket, window_start)
  )`,
  `create table idempotency_key (
    id text primary key,
    request_hash text not null,
    reply jsonb,
    created_at timestamptz not null
  )`,
  `create table mail (
    id uuid primary key,
    to_address text not null,
    subject text not null,
    html text not null,
    text text not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    failed_at timestamptz,
    error text
  )`,
];

/** Accounts, sessions, attempts, idempotency and the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
