import { type Kysely, sql } from 'kysely';

/**
 * Whoever changes what is used of a contract holds its row before they look: acts of one contract queue up for as long as their
 * transactions last, a save among them, so that none is counted in a period that is over. Always after the row of their process
 * or account, never before.
 */
const holdContracts = `
  create function hold_contracts(ids integer[]) returns void language plpgsql as $$
  begin
    perform from contract where id = any(ids) order by id for no key update;
  end $$`;

/**
 * Counters are sums of the rows of `contract_usage`: whatever those become, their contract's change by the difference. A save sets the
 * counters of what was used to 0 and begins a period: what was before it counts no more. What is reserved is to be used yet, whenever that was. A counter
 * that somebody wrote wrong stops nobody's act: every night it is counted anew.
 */
const countUsage = (rows: string) => `
  declare held integer[] := array(select distinct contract_id from fresh);
  begin
    perform hold_contracts(held);
    update contract c set
      uploaded_documents = greatest(c.uploaded_documents + d.documents, 0),
      digital_signatures_done = greatest(c.digital_signatures_done + d.digital, 0),
      electronic_signatures_done = greatest(c.electronic_signatures_done + d.electronic, 0),
      storage_used = greatest(c.storage_used + d.storage, 0),
      digital_reserved = greatest(c.digital_reserved + d.digital_reserved, 0),
      electronic_reserved = greatest(c.electronic_reserved + d.electronic_reserved, 0)
    from (
      select u.contract_id,
        coalesce(sum(n * amount) filter (where kind = 'document' and counts), 0) as documents,
        coalesce(sum(n * amount) filter (where kind = 'digital' and counts), 0) as digital,
        coalesce(sum(n * amount) filter (where kind = 'electronic' and counts), 0) as electronic,
        coalesce(sum(n * amount) filter (where kind = 'storage' and counts), 0) as storage,
        coalesce(sum(n * amount) filter (where kind = 'digital' and state = 'reserved'), 0) as digital_reserved,
        coalesce(sum(n * amount) filter (where kind = 'electronic' and state = 'reserved'), 0) as electronic_reserved
      from (${rows}) u join contract k on k.id = u.contract_id cross join lateral (select u.state = 'used' and u.period = k.period as counts) now
      group by u.contract_id
    ) d
    where c.id = d.contract_id;
    return null;
  end`;

const counters = [
  `create function count_new_usage() returns trigger language plpgsql as $$ ${countUsage('select 1 as n, f.* from fresh f')} $$`,
  `create trigger contract_usage_new after insert on contract_usage
   referencing new table as fresh for each statement execute function count_new_usage()`,
  `create function count_changed_usage() returns trigger language plpgsql as $$
   ${countUsage('select 1 as n, f.* from fresh f union all select -1, s.* from stale s')} $$`,
  `create trigger contract_usage_changed after update on contract_usage
   referencing old table as stale new table as fresh for each statement execute function count_changed_usage()`,
];

/** A signature that was made is used in the period in which it was made; told again, it finds nothing reserved any more. */
const signatures = [
  `create function use_signatures(ids uuid[]) returns void language plpgsql as $$
   begin
     perform hold_contracts(array(
       select distinct contract_id from contract_usage where kind in ('digital', 'electronic') and subject_id = any(ids) and state = 'reserved'));
     update contract_usage u set state = 'used', period = c.period, settled_at = now() from contract c
     where c.id = u.contract_id and u.kind in ('digital', 'electronic') and u.subject_id = any(ids) and u.state = 'reserved';
   end $$`,
  `create function use_made_signatures() returns trigger language plpgsql as $$
   declare ids uuid[];
   begin
     if not exists (select from contract) then return null; end if;
     ids := array(select id from fresh where status = 'SIGNED' except select id from stale where status = 'SIGNED');
     if cardinality(ids) > 0 then perform use_signatures(ids); end if;
     return null;
   end $$`,
  `create trigger signature_used after update on signature
   referencing old table as stale new table as fresh for each statement execute function use_made_signatures()`,
  // What a process had reserved is free again when it ends without it.
  `create function release_signatures(ids uuid[]) returns void language plpgsql as $$
   begin
     perform hold_contracts(array(
       select distinct contract_id from contract_usage where signature_process_id = any(ids) and state = 'reserved'));
     update contract_usage set state = 'released', settled_at = now() where signature_process_id = any(ids) and state = 'reserved';
   end $$`,
  `create function release_ended_processes() returns trigger language plpgsql as $$
   declare ids uuid[];
   begin
     if not exists (select from contract) then return null; end if;
     ids := array(
       select id from fresh where status not in ('DRAFT', 'IN_PROGRESS')
       except select id from stale where status not in ('DRAFT', 'IN_PROGRESS'));
     if cardinality(ids) > 0 then perform release_signatures(ids); end if;
     return null;
   end $$`,
  `create trigger signature_process_released after update on signature_process
   referencing old table as stale new table as fresh for each statement execute function release_ended_processes()`,
];

const storedSizes = 'id, signature_page_size, printable_copy_size';

/**
 * The bytes of a document are those of all its revisions, its separate page and its copy to print, for as long as they are kept. The
 * evidence report is none of them: it stays when everything else is removed.
 */
const storage = [
  `create function stored_bytes(document_asked uuid) returns bigint language sql stable as $$
     select coalesce((select sum(size) from document_revision where document_id = document_asked), 0)::bigint
       + coalesce((select coalesce(signature_page_size, 0) + coalesce(printable_copy_size, 0) from document where id = document_asked), 0)
   $$`,
  `create function count_storage(ids uuid[]) returns void language plpgsql as $$
   begin
     perform hold_contracts(array(select distinct contract_id from contract_usage where kind = 'storage' and subject_id = any(ids)));
     update contract_usage u set
       amount = case when k.bytes > 0 then k.bytes else u.amount end,
       state = case when k.bytes > 0 then 'used' else 'released' end,
       settled_at = now()
     from (select id, stored_bytes(id) as bytes from unnest(ids) as id) k
     where u.kind = 'storage' and u.subject_id = k.id and (u.amount, u.state) is distinct from (k.bytes, 'used') and (k.bytes > 0 or u.state = 'used');
   end $$`,
  `create function count_new_revisions() returns trigger language plpgsql as $$
   begin
     if exists (select from contract) then perform count_storage(array(select distinct document_id from fresh)); end if;
     return null;
   end $$`,
  `create trigger document_revision_stored after insert on document_revision
   referencing new table as fresh for each statement execute function count_new_revisions()`,
  `create trigger document_revision_gone after delete on document_revision
   referencing old table as fresh for each statement execute function count_new_revisions()`,
  `create function count_changed_documents() returns trigger language plpgsql as $$
   declare ids uuid[];
   begin
     if not exists (select from contract) then return null; end if;
     ids := array(select id from (select ${storedSizes} from fresh except select ${storedSizes} from stale) as changed);
     if cardinality(ids) > 0 then perform count_storage(ids); end if;
     return null;
   end $$`,
  `create trigger document_stored after update on document
   referencing old table as stale new table as fresh for each statement execute function count_changed_documents()`,
  // One that nobody used, and that is thrown away, was no document of theirs.
  `create function release_documents() returns trigger language plpgsql as $$
   declare ids uuid[];
   begin
     if not exists (select from contract) then return null; end if;
     ids := array(select id from gone);
     perform hold_contracts(array(
       select distinct contract_id from contract_usage where kind in ('document', 'storage') and subject_id = any(ids)));
     update contract_usage set state = 'released', settled_at = now()
     where kind in ('document', 'storage') and subject_id = any(ids) and state = 'used';
     return null;
   end $$`,
  `create trigger document_released after delete on document
   referencing old table as gone for each statement execute function release_documents()`,
];

const statements = [
  // Of processes that run: signatures that their signers have not made yet.
  `alter table contract
    add column digital_reserved integer not null default 0 check (digital_reserved >= 0),
    add column electronic_reserved integer not null default 0 check (electronic_reserved >= 0)`,
  holdContracts,
  ...counters,
  ...signatures,
  ...storage,
];

/**
 * Keeps the counters of contracts. Triggers, and not the use cases: what an older node writes meanwhile, and what is mended by hand, is
 * counted too (as in 032). Needs `contract` and `contract_usage` of 035.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
