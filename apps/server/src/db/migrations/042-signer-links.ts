import { type Kysely, sql } from 'kysely';

const statements = [
  // What opens a signer's page: no longer the signer's own id, which stays while links end and others take their place.
  `create table signer_link (
    key uuid primary key,
    signer_id uuid not null references signer (id) on delete cascade,
    channel text not null check (channel in ('mailed', 'handedOver', 'confirmed')),
    ended_at timestamptz,
    code_hash text,
    code_until timestamptz,
    code_tries integer not null default 0
  )`,
  `create index signer_link_signer on signer_link (signer_id)`,
  // Mails that were sent before, and those of a node that knows no other links, have the id.
  `insert into signer_link (key, signer_id, channel) select id, id, 'mailed' from signer`,
  `create function link_new_signers() returns trigger language plpgsql as $$
   begin
     insert into signer_link (key, signer_id, channel) select id, id, 'mailed' from fresh;
     return null;
   end $$`,
  `create trigger signer_linked after insert on signer
   referencing new table as fresh for each statement execute function link_new_signers()`,
  // When the sender last had a signer written to again.
  `alter table signer add column told_again_at timestamptz`,
  // A list of what stands so, newest first.
  `create index listed_process_standing on listed_process (user_id, sets, status, created_at, signature_process_id)`,
  // Which way the link had come that was signed through.
  `alter table signature_evidence add column channel text not null default 'mailed' check (channel in ('mailed', 'confirmed'))`,
];

/** Links of signers: keys of their own, and the way that each was given away (docs/decisions/054). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
