import { type Kysely, sql } from 'kysely';

const PEOPLE = `(select count(*) from signer where signature_process_id = p.id) + (select count(*) from stakeholder where signature_process_id = p.id)`;

const statements = [
  // How many people its start called. Null: a draft, or started before this was counted.
  `alter table signature_process add column called integer`,
  // By the database, so that a start by a node of the version before is counted too.
  `create function count_called() returns trigger language plpgsql as $$
   begin
     new.called := (select ${PEOPLE} from (select new.id) as p);
     return new;
   end $$`,
  `create trigger count_called before update on signature_process
   for each row when (old.started_at is null and new.started_at is not null) execute function count_called()`,
  // As 070, without the people of each process anew: an account that had called a thousand within the hour paid three milliseconds a start for it.
  `create or replace function people_called(owner uuid, since timestamptz, besides uuid) returns integer language plpgsql volatile as $$
   begin
     perform 1 from app_user where id = owner for no key update;
     return (
       select coalesce(sum(case when p.called is null then ${PEOPLE} else p.called end), 0)
       from signature_process p where p.owner_id = owner and p.started_at > since and p.id <> besides);
   end $$`,
];

/** What an account has called is counted with each start, and added up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
