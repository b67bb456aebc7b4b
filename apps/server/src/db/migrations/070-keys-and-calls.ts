import { type Kysely, sql } from 'kysely';

const statements = [
  // Nobody has seen the key of a new signer's link, also not whoever added them and knows their id: it is one of its own from the first moment.
  `create or replace function link_new_signers() returns trigger language plpgsql as $$
   begin
     insert into signer_link (key, signer_id, channel) select gen_random_uuid(), id, 'mailed' from fresh;
     return null;
   end $$`,
  // Called in the statement that starts a process: each of its own statements sees what was committed before it, so that starts of one account,
  // which wait for each other here, count each other.
  `create function people_called(owner uuid, since timestamptz, besides uuid) returns integer language plpgsql volatile as $$
   begin
     perform 1 from app_user where id = owner for no key update;
     return (
       select coalesce(sum(
         (select count(*) from signer where signature_process_id = p.id) + (select count(*) from stakeholder where signature_process_id = p.id)
       ), 0)
       from signature_process p where p.owner_id = owner and p.started_at > since and p.id <> besides);
   end $$`,
];

/** What lets a signer be added, and a process be started, in one statement each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
