import { type Kysely, sql } from 'kysely';

/** Texts as they are searched: composed (a Mac writes the names of files in pieces), without accents and case. */
const words = `
  create function plain_words(text) returns text language sql immutable parallel safe strict as
  $$ select lower(f_unaccent(normalize($1, nfkc))) $$`;

/** Where a word is looked for: title, names of files, names and e-mails of the signers. It begins with a blank, as every word in it does. */
const wordsOfProcess = `
  create function words_of_process(asked uuid) returns text language sql stable as $$
    select plain_words(concat_ws(' ', '', p.title,
      (select string_agg(d.name, ' ' order by d.position) from document d where d.signature_process_id = p.id),
      (select string_agg(s.name || ' ' || s.email, ' ' order by s."order", s.id) from signer s where s.signature_process_id = p.id)))
    from signature_process p where p.id = asked
  $$`;

/**
 * Writes what lists show of these processes, as they stand; `anew`: their words may have changed too. Each is locked first, so that of
 * two who change it at once the second one sees what the first has left.
 */
const listProcesses = `
  create function list_processes(ids uuid[], anew boolean) returns void language plpgsql as $$
  begin
    perform from signature_process where id = any(ids) order by id for no key update;
    delete from listed_process l where l.signature_process_id = any(ids) and not exists (
      select from signature_process p where p.id = l.signature_process_id and p.status <> 'DRAFT' and (p.owner_id = l.user_id or exists (
        select from signer s where s.signature_process_id = p.id and s.user_id = l.user_id and s.status <> 'WAITING')));
    insert into listed_process as l (user_id, signature_process_id, sets, status, title, created_at, due_date, finalized_at, search)
    select person.user_id, p.id, person.sets, p.status, p.title, p.created_at, p.due_date, p.finalized_at, coalesce(
      case when not anew then (select search from listed_process k where k.signature_process_id = p.id limit 1) end, words_of_process(p.id))
    from signature_process p cross join lateral (
      select user_id, bit_or(part) as sets from (
        select p.owner_id, 1
        union all
        select s.user_id, case when s.status = 'SENT' and p.status = 'IN_PROGRESS' then 6 else 2 end
        from signer s where s.signature_process_id = p.id and s.user_id is not null and s.status <> 'WAITING'
      ) as parts (user_id, part) group by user_id
    ) person
    where p.id = any(ids) and p.status <> 'DRAFT'
    on conflict (signature_process_id, user_id) do update set
      sets = excluded.sets, status = excluded.status, title = excluded.title, created_at = excluded.created_at,
      due_date = excluded.due_date, finalized_at = excluded.finalized_at, search = excluded.search
    where (l.sets, l.status, l.title, l.created_at, l.due_date, l.finalized_at, l.search) is distinct from
      (excluded.sets, excluded.status, excluded.title, excluded.created_at, excluded.due_date, excluded.finalized_at, excluded.search);
  end $$`;

const listed = 'id, owner_id, status, title, created_at, due_date, finalized_at';
const signs = 'signature_process_id, id, user_id, status, name, email';

/**
 * Triggers, and not the use cases: what an older node writes meanwhile, and what is mended by hand, is listed and counted too. What
 * changed is found by EXCEPT: plans are kept, and a join that was planned for one row would take hours over a million.
 */
const triggers = [
  `create function list_new_process() returns trigger language plpgsql as $$
   declare ids uuid[] := array(select id from fresh where status <> 'DRAFT');
   begin
     if cardinality(ids) > 0 then perform list_processes(ids, true); end if;
     return null;
   end $$`,
  `create trigger signature_process_new after insert on signature_process
   referencing new table as fresh for each statement execute function list_new_process()`,
  `create function list_changed_process() returns trigger language plpgsql as $$
   declare
     ids uuid[] := array(
       select id from (select ${listed} from fresh where status <> 'DRAFT' except select ${listed} from stale) as changed);
   begin
     if cardinality(ids) > 0 then
       perform list_processes(ids, exists (select id, title from fresh except select id, title from stale));
     end if;
     return null;
   end $$`,
  `create trigger signature_process_changed after update on signature_process
   referencing old table as stale new table as fresh for each statement execute function list_changed_process()`,
  `create function list_other_signers() returns trigger language plpgsql as $$
   declare
     ids uuid[] := array(
       select distinct p.id from fresh f join signature_process p on p.id = f.signature_process_id where p.status <> 'DRAFT');
   begin
     if cardinality(ids) > 0 then perform list_processes(ids, true); end if;
     return null;
   end $$`,
  `create trigger signer_new after insert on signer
   referencing new table as fresh for each statement execute function list_other_signers()`,
  `create trigger signer_gone after delete on signer
   referencing old table as fresh for each statement execute function list_other_signers()`,
  `create function list_changed_signer() returns trigger language plpgsql as $$
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
  `create trigger signer_changed after update on signer
   referencing old table as stale new table as fresh for each statement execute function list_changed_signer()`,
  `create function count_listed() returns trigger language plpgsql as $$
   begin
     if tg_op = 'INSERT' then
       insert into process_count (user_id, counted, amount) select user_id, sets, count(*) from fresh group by user_id, sets;
     elsif tg_op = 'DELETE' then
       insert into process_count (user_id, counted, amount) select user_id, sets, -count(*) from stale group by user_id, sets;
     else
       insert into process_count (user_id, counted, amount)
       select user_id, sets, sum(n) from (select user_id, sets, 1 from fresh union all select user_id, sets, -1 from stale) as c (user_id, sets, n)
       group by user_id, sets having sum(n) <> 0;
     end if;
     return null;
   end $$`,
  `create trigger listed_process_new after insert on listed_process
   referencing new table as fresh for each statement execute function count_listed()`,
  `create trigger listed_process_changed after update on listed_process
   referencing old table as stale new table as fresh for each statement execute function count_listed()`,
  `create trigger listed_process_gone after delete on listed_process
   referencing old table as stale for each statement execute function count_listed()`,
  `create function count_new_signatures() returns trigger language plpgsql as $$
   begin
     insert into process_count (user_id, counted, amount)
     select p.owner_id, 0, count(*) from fresh f join signature_process p on p.id = f.signature_process_id
     where f.status = 'SIGNED' group by p.owner_id;
     return null;
   end $$`,
  `create trigger signature_new after insert on signature
   referencing new table as fresh for each statement execute function count_new_signatures()`,
  `create function count_changed_signatures() returns trigger language plpgsql as $$
   begin
     insert into process_count (user_id, counted, amount)
     select p.owner_id, 0, sum(n) from (
       select signature_process_id, 1 from fresh where status = 'SIGNED'
       union all
       select signature_process_id, -1 from stale where status = 'SIGNED'
     ) as c (signature_process_id, n) join signature_process p on p.id = c.signature_process_id
     group by p.owner_id having sum(n) <> 0;
     return null;
   end $$`,
  `create trigger signature_changed after update on signature
   referencing old table as stale new table as fresh for each statement execute function count_changed_signatures()`,
];

const statements = [
  `create extension if not exists btree_gin`,
  words,
  wordsOfProcess,
  // One row a person and process that their lists show. `sets`: 1 they requested it, 2 they received it, 4 it waits for them.
  `create table listed_process (
    user_id uuid not null,
    signature_process_id uuid not null references signature_process (id) on delete cascade,
    sets smallint not null check (sets in (1, 2, 3, 6, 7)),
    status text not null,
    title text not null,
    created_at timestamptz not null,
    due_date timestamptz,
    finalized_at timestamptz,
    search text not null,
    primary key (signature_process_id, user_id)
  )`,
  // Every act adds a row with the difference that it makes, so that no two wait for one number; a job folds them.
  // `counted`: the sets of listed processes, or 0: signatures made in what they requested.
  `create table process_count (
    user_id uuid not null,
    counted smallint not null,
    amount bigint not null,
    folded boolean not null default false
  )`,
  listProcesses,
  `lock table signature_process, signer, signature in share row exclusive mode`,
  ...triggers,
  `select list_processes(array(select id from signature_process where status <> 'DRAFT'), true)`,
  `insert into process_count (user_id, counted, amount)
   select p.owner_id, 0, count(*) from signature s join signature_process p on p.id = s.signature_process_id
   where s.status = 'SIGNED' group by p.owner_id`,
  `create index process_count_of on process_count (user_id)`,
  `create index process_count_fresh on process_count (user_id) where not folded`,
  // A list's order is an index's, for each set by itself: a page is read, and nothing else.
  `create index listed_process_created on listed_process (user_id, sets, created_at, signature_process_id)`,
  `create index listed_process_title on listed_process (user_id, sets, title collate people, signature_process_id)`,
  `create index listed_process_status on listed_process (user_id, sets, status, signature_process_id)`,
  `create index listed_process_due on listed_process (user_id, sets, due_date, signature_process_id)`,
  `create index listed_process_finalized on listed_process (user_id, sets, finalized_at, signature_process_id)`,
  // The person is in it, so that what others have with the same word costs nothing.
  `create index listed_process_search on listed_process using gin (user_id, search gin_trgm_ops) with (gin_pending_list_limit = 1024)`,
  // Titles were searched by it.
  `drop index signature_process_search`,
];

/** What a person's lists show, by one index each, and its counters. Needs `signature_process` of 002, `f_unaccent` of 001, `people` of 019. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
