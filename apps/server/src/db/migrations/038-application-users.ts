import { type Kysely, sql } from 'kysely';

const statements = [
  // What somebody says of themself; `cpf` is what a provider of identities has confirmed.
  `alter table app_user add column legal_identifier text check (legal_identifier ~ '^[0-9]{11}$')`,
  // An account with its CPF and its company. Its own columns can be written through it.
  `create view application_user as
   select u.id, u.version, u.email, u.created_at, u.legal_identifier, u.cpf,
     trim(u.first_name || ' ' || u.last_name) as name, u.search,
     (select m.company_id from company_member m where m.user_id = u.id) as company_id,
     (select c.name from company_member m join company c on c.id = m.company_id where m.user_id = u.id) as company_name
   from app_user u`,
  // Whose documents and signatures are listed.
  `create index document_owner on document (owner_id, created_at, id)`,
  `create index signature_process_id on signature (signature_process_id)`,
];

/** Application users as generic entities, and what their lists of documents and signatures are read by. Needs 027, 030 and 033. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
