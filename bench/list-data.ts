/** Processes by the million, as acts would have left them, written in bulk. */
import type pg from 'pg';

const ACCOUNTS = 500;
/** What Bia has, in any installation. */
const OF_BIA = 1000;
const AT_ONCE = 50_000;
/** Statements that run side by side. */
const SIDES = 2;

const account = (id: string, name: string) =>
  `insert into app_user (id, login, email, first_name, login_type, lang_key, activated, authorities, created_at, password_hash)
   select ${id}, ${name}, ${name} || '@exemplo.com.br', 'Pessoa', 'LOCAL', 'pt-br', true, '{ROLE_USER}', now(), (select password_hash from app_user where login = $1)`;

/** $1 Ana, $2 the others, $3 and $4 from and to, $5 of how many. */
const drafted = `
  create temp table drafted as
  select n, gen_random_uuid() as id, case when n % 3 = 0 then ($2::uuid[])[1 + n % ${ACCOUNTS}] else $1::uuid end as owner_id,
    (array['Contrato de locação', 'Termo de adesão', 'Procuração', 'Distrato', 'Aditivo contratual'])[1 + n % 5] || ' nº ' || n as title,
    (array['IN_PROGRESS', 'FINALIZED_WITH_SUCCESS', 'FINALIZED_WITH_SUCCESS', 'CREATOR_CANCELED'])[1 + n % 4] as status,
    now() - ($5::int - n) * interval '30 seconds' as created_at,
    case when n % 7 > 0 then now() + n * interval '1 hour' end as due_date,
    case when n % 4 > 0 then now() - n * interval '1 minute' end as finalized_at,
    (array['contrato', 'termo', 'procuracao', 'distrato', 'aditivo'])[1 + n % 5] || '-' || n || '.pdf' as file
  from generate_series($3::int, $4::int) n`;

/** Two each: Ana where she did not ask for it, Bia now and then, others by the names that people have. */
const invited = `
  create temp table invited as
  select p.n, p.id as process_id, k, gen_random_uuid() as id, who.id as user_id, name, case who.id when $1 then 'ana' when $2 then 'bia'
    else lower(f_unaccent(split_part(name, ' ', 1))) || n % 3001 end || '@exemplo.com.br' as email,
    case when p.status = 'IN_PROGRESS' then 'SENT' else 'SIGNED' end as status, p.created_at
  from drafted p
  cross join generate_series(0, 1) k
  cross join lateral (select (array['Bárbara', 'João', 'Antônia', 'Luís', 'Conceição', 'Márcio', 'Inês'])[1 + (n + k) % 7] || ' ' ||
    (array['Silva', 'Souza', 'Araújo', 'Magalhães', 'Brandão'])[1 + (n * 3 + k) % 5] as name) as names
  cross join lateral (select case when k = 0 and p.owner_id <> $1::uuid then $1::uuid when k = 1 and n % $3::int = 0 then $2::uuid end as id) as who`;

const written = [
  `insert into signature_process (id, owner_id, title, status, modality, geolocation, lang_key, created_at, started_at, touched_at, due_date, finalized_at)
   select id, owner_id, title, status, 'electronic', 'optional', 'pt-br', created_at, now(), now(), due_date, finalized_at from drafted order by n`,
  `insert into signer (id, signature_process_id, user_id, name, email, "order", status, visible, lang_key, created_at)
   select id, process_id, user_id, name, email, k, status, false, 'pt-br', created_at from invited order by n, k`,
  `insert into document (id, owner_id, signature_process_id, position, name, hash, size, page_count, pages, created_at)
   select gen_random_uuid(), owner_id, id, 0, file, repeat('0', 64), 1, 1, '[]', created_at from drafted order by n`,
  `insert into listed_process (user_id, signature_process_id, sets, status, title, created_at, due_date, finalized_at, search)
   select person.user_id, p.id, person.sets, p.status, p.title, p.created_at, p.due_date, p.finalized_at, words.search
   from drafted p
   join (select process_id, string_agg(name || ' ' || email, ' ' order by k, id) as signers from invited group by process_id) s on s.process_id = p.id
   cross join lateral (select plain_words(concat_ws(' ', '', p.title, p.file, s.signers)) as search offset 0) words
   join (
     select process_id, user_id, bit_or(part) as sets from (
       select id, owner_id, 1 from drafted
       union all
       select process_id, user_id, case status when 'SENT' then 6 else 2 end from invited where user_id is not null
     ) as parts (process_id, user_id, part) group by process_id, user_id
   ) person on person.process_id = p.id
   order by p.n`,
];

/** Rows that differ from what the triggers would have written, among some. */
const differing = `
  select (select count(*) from listed_process l where search <> words_of_process(signature_process_id)) as words,
    (select count(*) from (
      select p.id, p.owner_id as user_id from signature_process p
      union select signature_process_id, user_id from signer where user_id is not null
    ) as due full join listed_process l on l.signature_process_id = due.id and l.user_id = due.user_id
    where l.user_id is null or due.id is null) as rows`;

/** As many processes as asked for: Ana requested two thirds and received the others, Bia received a thousand, all others have the rest. */
export async function fillLists(connect: () => Promise<pg.Client>, ana: { id: string; email: string }, count: number): Promise<void> {
  const sides = await Promise.all(Array.from({ length: SIDES }, connect));
  const [first] = sides as [pg.Client];
  try {
    const login = ana.email;
    const bia = await first.query<{ id: string }>(`${account('gen_random_uuid()', `'bia'`)} returning id`, [login]);
    const others = await first.query<{ id: string }>(
      `${account('gen_random_uuid()', `'outra' || n`)} from generate_series(1, ${ACCOUNTS}) n returning id`,
      [login],
    );
    const people = { ana: ana.id, bia: bia.rows[0]?.id ?? '', others: others.rows.map(({ id }) => id) };
    await withoutIndexes(sides, ['signature_process', 'signer', 'document', 'listed_process'], async () => {
      await sideBySide(sides, parts(count), (client, part) => writePart(client, people, part, count));
      await first.query(
        `insert into process_count (user_id, counted, amount, folded) select user_id, sets, count(*), true from listed_process group by user_id, sets`,
      );
    });
    await first.query('vacuum analyze');
    await first.query('checkpoint');
    if (count <= AT_ONCE) await assertAsWrittenByTriggers(first);
  } finally {
    for (const client of sides) await client.end();
  }
}

function parts(count: number): { from: number; to: number }[] {
  const each = Math.min(AT_ONCE, Math.ceil(count / SIDES));
  return Array.from({ length: Math.ceil(count / each) }, (_, n) => ({ from: n * each + 1, to: Math.min(count, (n + 1) * each) }));
}

async function writePart(
  client: pg.Client,
  { ana, bia, others }: { ana: string; bia: string; others: string[] },
  { from, to }: { from: number; to: number },
  count: number,
): Promise<void> {
  await client.query('begin');
  // No trigger, no foreign key: what they would find and do is written by hand.
  await client.query('set local session_replication_role = replica');
  await client.query(drafted, [ana, others, from, to, count]);
  await client.query(invited, [ana, bia, Math.max(1, Math.floor(count / OF_BIA))]);
  for (const statement of written) await client.query(statement);
  await client.query('drop table drafted, invited');
  await client.query('commit');
}

/** A row that is joined to an index after the other takes many times as long as all of them at once. */
async function withoutIndexes(sides: readonly pg.Client[], tables: readonly string[], act: () => Promise<void>): Promise<void> {
  const [first] = sides as [pg.Client];
  const { rows } = await first.query<{ name: string; definition: string }>(
    `select i.relname as name, pg_get_indexdef(i.oid) as definition from pg_index x join pg_class i on i.oid = x.indexrelid
     where x.indrelid = any($1::regclass[]) and not x.indisprimary
     order by i.relname = 'listed_process_search' desc, i.relname like 'listed%' desc, i.relname`,
    [tables],
  );
  for (const { name } of rows) await first.query(`drop index ${name}`);
  await act();
  for (const client of sides) await client.query(`set maintenance_work_mem = '1GB'`);
  await sideBySide(sides, rows, (client, { definition }) => client.query(definition));
}

/** Each takes the next when it has done one. */
async function sideBySide<T>(sides: readonly pg.Client[], all: readonly T[], act: (client: pg.Client, one: T) => Promise<unknown>) {
  const left = [...all];
  await Promise.all(
    sides.map(async (client) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await act(client, one);
    }),
  );
}

async function assertAsWrittenByTriggers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ words: string; rows: string }>(differing);
  if (Number(rows[0]?.words) + Number(rows[0]?.rows) > 0)
    throw new Error(`the lists are not as acts would have left them: ${JSON.stringify(rows)}`);
}
