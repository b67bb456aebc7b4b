import { type Kysely, sql } from 'kysely';

const statements = [
  // An app with a shared secret (RFC 6238). Not confirmed: shown to somebody, and no factor yet.
  `create table totp (
    user_id uuid primary key references app_user (id) on delete cascade,
    sealed_secret bytea not null,
    last_step bigint not null default 0,
    created_at timestamptz not null,
    confirmed_at timestamptz,
    last_used_at timestamptz
  )`,
  // A public key of WebAuthn. An authenticator is one person's: its identifier belongs to one account.
  `create table passkey (
    id uuid primary key,
    user_id uuid not null references app_user (id) on delete cascade,
    credential_id text not null unique,
    public_key bytea not null,
    sign_count bigint not null,
    transports text[] not null,
    name text not null,
    synced boolean not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index passkey_user on passkey (user_id)`,
  `create table backup_code (
    user_id uuid not null references app_user (id) on delete cascade,
    code_hash text not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`,
  // What somebody has begun and not finished: a sign-in of two steps, an answer of a passkey. Deleted where it is used.
  `create table factor_challenge (
    token_hash text primary key,
    purpose text not null check (purpose in ('signIn', 'passkeySignIn', 'proof', 'addPasskey')),
    user_id uuid references app_user (id) on delete cascade,
    device_id uuid references device (id) on delete cascade,
    remember boolean not null default false,
    proof jsonb,
    passkey_challenge text,
    failures integer not null default 0,
    expires_at timestamptz not null
  )`,
  `create index factor_challenge_expiry on factor_challenge (expires_at)`,
  `create index factor_challenge_user on factor_challenge (user_id) where user_id is not null`,
  `create index factor_challenge_device on factor_challenge (device_id) where device_id is not null`,
  // One row, once an administrator has said whose accounts need one.
  `create table second_factor_policy (
    one boolean primary key default true check (one),
    required_of text not null check (required_of in ('nobody', 'administrators', 'everybody'))
  )`,
];

/** Passkeys, apps, backup codes, sign-ins of two steps. Needs `app_user` of 001 and `device` of 014. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
