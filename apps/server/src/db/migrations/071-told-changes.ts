import { type Kysely, sql } from 'kysely';

const statements = [
  // The message is the process's id and nothing else: whoever hears it asks, as who may. Several of one transaction are told as one.
  `create function tell_change() returns trigger language plpgsql as $$
   begin
     perform pg_notify('lavra_changed', new.signature_process_id::text);
     return null;
   end $$`,
  `create function tell_changed_process() returns trigger language plpgsql as $$
   begin
     perform pg_notify('lavra_changed', new.id::text);
     return null;
   end $$`,
  `create function tell_drawing() returns trigger language plpgsql as $$
   begin
     perform pg_notify('lavra_changed', signature_process_id::text) from signer where id = new.signer_id;
     return null;
   end $$`,
  // Whatever changes a process says so in its chain of events.
  `create trigger event_told after insert on event for each row execute function tell_change()`,
  // What a waiting page shows beside: how far a signature is, why a process is stuck, what a telephone drew.
  `create trigger signing_attempt_told after update on signing_attempt for each row
   when ((old.state, old.reason) is distinct from (new.state, new.reason)) execute function tell_change()`,
  `create trigger signature_process_told after update on signature_process for each row
   when (old.problem is distinct from new.problem) execute function tell_changed_process()`,
  `create trigger awaited_drawing_told after update on awaited_drawing for each row
   when (old.picture is null and new.picture is not null) execute function tell_drawing()`,
];

/** Tells every node that listens of a process that changed, with the transaction of the change: also of what an older node writes, or is mended by hand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
