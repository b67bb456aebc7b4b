import { type Kysely, sql } from 'kysely';

const statements = [
  // Who somebody is at a provider (OpenID Connect Core §5.7): issuer and subject together never change hands.
  `create table account_identity (
    issuer text not null,
    subject text not null,
    user_id uuid not null references app_user (id) on delete cascade,
    provider text not null,
    linked_at timestamptz not null,
    last_used_at timestamptz not null,
    primary key (issuer, subject)
  )`,
  `create index account_identity_user on account_identity (user_id)`,
  // A sign-in that is under way at a provider; afterwards, for who has no account yet, what the provider said (sealed).
  `create table sign_in_flow (
    state_hash text primary key,
    browser_hash text not null,
    provider text not null,
    remember boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    identity bytea
  )`,
  `create index sign_in_flow_waiting on sign_in_flow (browser_hash) where identity is not null`,
  // A CPF that a provider vouches for, whose word it is and how sure the provider is.
  `alter table app_user
    add column cpf text,
    add column cpf_confirmed_by text,
    add column cpf_assurance text,
    add column cpf_confirmed_at timestamptz,
    add constraint app_user_cpf check ((cpf is null) = (cpf_confirmed_by is null) and (cpf is null) = (cpf_confirmed_at is null))`,
  // The same of the CPF that somebody signed with, where it was their account's own.
  `alter table signature_evidence
    add column cpf_confirmed_by text,
    add column cpf_assurance text,
    add column cpf_confirmed_at timestamptz`,
];

/** Accounts that are entered through providers, and confirmed CPFs. Needs `app_user` of 001, `signature_evidence` of 002. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
