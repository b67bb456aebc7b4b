import { type Kysely, sql } from 'kysely';

const statements = [
  `alter table mail add column sealed bytea`,
  `alter table mail alter column subject set default '', alter column html set default '', alter column text set default ''`,
  // What is delivered or given up keeps nothing; what still waits is sealed by the program, which has the secret.
  `update mail set subject = '', html = '', text = '' where sent_at is not null or failed_at is not null`,
  `create index mail_ended on mail (coalesce(sent_at, failed_at))`,
  `create index signature_process_started on signature_process (owner_id, started_at) where started_at is not null`,
  // They carried addresses; whoever still waits for one asks again.
  `do $$ begin
    if to_regclass('pgboss.job') is not null then delete from pgboss.job where name = 'mail-reset-link'; end if;
  end $$`,
];

/** Mails are kept encrypted until they are delivered, and not at all afterwards (docs/decisions/019). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
