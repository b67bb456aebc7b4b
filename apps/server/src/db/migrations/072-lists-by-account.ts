import { type Kysely, sql } from 'kysely';

/** Of a signer, what a list shows: how far they are stands in their own list alone, and who has no account has none. */
const signs = 'signature_process_id, id, user_id, case when user_id is not null then status end, name, email';

const statements = [
  `create or replace function list_changed_signer() returns trigger language plpgsql as $$
   declare
     ids uuid[] := array(
       select distinct p.id from (select ${signs} from fresh except select ${signs} from stale) as changed
       join signature_process p on p.id = changed.signature_process_id where p.status <> 'DRAFT');
   begin
     if cardinality(ids) > 0 then
       perform list_processes(ids, exists (select id, name, email from fresh except select id, name, email from stale));
     end if;
     return null;
   end $$`,
  // Called by every act with the one contract that it counts in: planned anew each time, which took longer than it does (as 048).
  `alter function hold_contracts(integer[]) set plan_cache_mode = force_generic_plan`,
];

/** What an act writes down in vain: the lists of those whose signer has none, and the plan of what holds a contract. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
