import { normalizeEmail } from '@lavra/domain';
import { type Kysely, sql } from 'kysely';

const statements = [
  // A browser that keeps our secret. What it shows is a MAC over id and generation: the table holds no secret.
  `create table device (
    id uuid primary key,
    generation integer not null,
    rotated_at timestamptz not null,
    created_at timestamptz not null,
    revoked_at timestamptz
  )`,
  // Accounts that signed in with it before.
  `create table known_device (
    device_id uuid not null references device (id) on delete cascade,
    user_id uuid not null references app_user (id),
    last_seen_at timestamptz not null,
    primary key (device_id, user_id)
  )`,
  `create index known_device_user on known_device (user_id)`,
  `alter table session add column device_id uuid references device (id) on delete set null`,
  `create index session_device on session (device_id) where device_id is not null`,
  `alter table account_key add column device_id uuid references device (id) on delete set null`,
  `create index account_key_user on account_key (user_id)`,
  `create index account_key_device on account_key (device_id) where device_id is not null`,
  // One-time keys by which the first administrator of a production installation proves themself.
  `create table first_account_key (
    key_hash text primary key,
    created_at timestamptz not null
  )`,
  `create table audit_event (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    kind text not null,
    outcome text not null check (outcome in ('success', 'failure', 'refused')),
    reason text,
    account_id uuid,
    subject_id text,
    source text
  )`,
  `create index audit_event_at on audit_event (at)`,
  `create index audit_event_account on audit_event (account_id, at) where account_id is not null`,
  `create function refuse_audit_change() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' and old.at < now() - interval '365 days' then return old; end if;
     raise exception 'audit events are append-only';
   end $$`,
  `create trigger audit_event_append_only before update or delete on audit_event for each row execute function refuse_audit_change()`,
  `create trigger audit_event_no_truncate before truncate on audit_event for each statement execute function refuse_change()`,
];

/** Devices, keys bound to them, the first administrator's key, the security log; addresses in their one form. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await rewriteAddresses(db);
}

/** Accounts and signers of before get their address's one form, unless another account has it already. */
export async function rewriteAddresses(db: Kysely<unknown>): Promise<void> {
  const found = await sql<{ email: string }>`
    select email from app_user where email ~ '[^ -~]' union select email from signer where email ~ '[^ -~]'
    union select email from stakeholder where email ~ '[^ -~]'`.execute(db);
  for (const { email } of found.rows) {
    const canonical = normalizeEmail(email);
    if (canonical === email) continue;
    await sql`update app_user set email = ${canonical}, login = ${canonical} where email = ${email}
      and not exists (select 1 from app_user where email = ${canonical})`.execute(db);
    await sql`update signer set email = ${canonical} where email = ${email}`.execute(db);
    await sql`update stakeholder s set email = ${canonical} where email = ${email} and not exists
      (select 1 from stakeholder o where o.signature_process_id = s.signature_process_id and o.email = ${canonical})`.execute(db);
  }
}
