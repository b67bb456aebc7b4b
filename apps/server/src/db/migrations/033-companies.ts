import { type Kysely, sql } from 'kysely';

const statements = [
  `create table company (
    id uuid primary key,
    name text not null,
    cnpj text unique check (cnpj ~ '^[0-9A-Z]{12}[0-9]{2}$'),
    brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
    accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
    logo_hash text,
    max_doc_size integer check (max_doc_size > 0),
    max_time integer check (max_time > 0),
    created_at timestamptz not null,
    version integer not null default 1,
    search text not null generated always as (lower(f_unaccent(name)) || ' ' || coalesce(lower(cnpj), '')) stored
  )`,
  // Apart, so that a list of companies reads no pictures.
  `create table company_logo (
    company_id uuid primary key references company (id) on delete cascade,
    hash text not null,
    content_type text not null,
    image bytea not null
  )`,
  `create index company_logo_hash on company_logo (hash)`,
  // An account belongs to one company.
  `create table company_member (
    user_id uuid primary key references app_user (id) on delete cascade,
    company_id uuid not null references company (id) on delete cascade,
    role text not null check (role in ('admin', 'member')),
    joined_at timestamptz not null
  )`,
  `create index company_member_of_company on company_member (company_id)`,
  `create table company_invitation (
    id uuid primary key,
    company_id uuid not null references company (id) on delete cascade,
    email text not null,
    key_hash text not null,
    invited_by uuid references app_user (id) on delete set null,
    lang_key text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    revoked_at timestamptz
  )`,
  `create unique index company_invitation_open on company_invitation (company_id, email) where accepted_at is null and revoked_at is null`,
  // The company that a signer represents, as the creator registered it.
  `alter table signer add column company_identifier text`,
];

/** Companies with their members, invitations and looks; signers who represent a company. Needs `app_user` and `f_unaccent` of 001. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
