/** Processes by the million, as acts would have left them, written in bulk. */
import type pg from 'pg';

const ACCOUNTS = 500;
/** What Bia has, in any installation. */
const OF_BIA = 1000;
const AT_ONCE = 50_000;

const account = (id: string, name: string) =>
  `insert into app_user (id, login, email, first_name, login_type, lang_key, activated, authorities, created_at, password_hash)
   select ${id}, ${name}, ${name} || '@exemplo.com.br', 'Pessoa', 'LOCAL', 'pt-br', true, '{ROLE_USER}', now(), (select password_hash from app_user where login = $1)`;

const processes = `
  insert into signature_process (id, owner_id, title, status, modality, geolocation, lang_key, created_at, started_at, touched_at, due_date, finalized_at)
  select gen_random_uuid(), case when n % 3 = 0 then ($5::uuid[])[1 + n % ${ACCOUNTS}] else $1::uuid end,
    (array['Contrato de locação', 'Termo de adesão', 'Procuração', 'Distrato', 'Aditivo contratual'])[1 + n % 5] || ' nº ' || n,
    (array['IN_PROGRESS', 'FINALIZED_WITH_SUCCESS', 'FINALIZED_WITH_SUCCESS', 'CREATOR_CANCELED'])[1 + n % 4],
    'electronic', 'optional', 'pt-br', now() - ($4::int - n) * interval '30 seconds', now(), now(),
    case when n % 7 > 0 then now() + n * interval '1 hour' end, case when n % 4 > 0 then now() - n * interval '1 minute' end
  from generate_series($2::int, $3::int) n`;

/** Two each: Ana where she did not ask for it, Bia now and then, others by the names that people have. */
const signers = `
  insert into signer (id, signature_process_id, user_id, name, email, "order", status, visible, lang_key, created_at)
  select gen_random_uuid(), p.id, who.id, name, case who.id when $1 then 'ana' when $4 then 'bia'
    else lower(f_unaccent(split_part(name, ' ', 1))) || n % 3001 end || '@exemplo.com.br',
    k, case when p.status = 'IN_PROGRESS' then 'SENT' else 'SIGNED' end, false, 'pt-br', p.created_at
  from (select *, substring(title from '[0-9]+$')::int as n from signature_process) p
  cross join generate_series(0, 1) k
  cross join lateral (select (array['Bárbara', 'João', 'Antônia', 'Luís', 'Conceição', 'Márcio', 'Inês'])[1 + (n + k) % 7] || ' ' ||
    (array['Silva', 'Souza', 'Araújo', 'Magalhães', 'Brandão'])[1 + (n * 3 + k) % 5] as name) as names
  cross join lateral (select case when k = 0 and p.owner_id <> $1::uuid then $1::uuid when k = 1 and n % $5::int = 0 then $4::uuid end as id) as who
  where n between $2 and $3`;

const documents = `
  insert into document (id, owner_id, signature_process_id, position, name, hash, size, page_count, pages, created_at)
  select gen_random_uuid(), p.owner_id, p.id, 0, lower(split_part(f_unaccent(p.title), ' ', 1)) || '-' || substring(p.title from '[0-9]+$') || '.pdf',
    repeat('0', 64), 1, 1, '[]', p.created_at
  from signature_process p where substring(p.title from '[0-9]+$')::int between $1 and $2`;

/** As many processes as asked for: Ana requested two thirds and received the others, Bia received a thousand, all others have the rest. */
export async function fillLists(client: pg.Client, ana: { id: string; email: string }, count: number): Promise<void> {
  const login = ana.email;
  const bia = await client.query<{ id: string }>(`${account('gen_random_uuid()', `'bia'`)} returning id`, [login]);
  const others = await client.query<{ id: string }>(
    `${account('gen_random_uuid()', `'outra' || n`)} from generate_series(1, ${ACCOUNTS}) n returning id`,
    [login],
  );
  const ids = others.rows.map(({ id }) => id);
  // A row that is written by a trigger, and joined to an index after the other, takes a hundred times as long.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'listed_process' and indexname <> 'listed_process_pkey'`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  for (const table of ['signature_process', 'signer']) await client.query(`alter table ${table} disable trigger user`);
  await client.query(`create index bench_number on signature_process ((substring(title from '[0-9]+$')::int))`);
  for (let from = 1; from <= count; from += AT_ONCE) {
    const to = Math.min(count, from + AT_ONCE - 1);
    await client.query(processes, [ana.id, from, to, count, ids]);
    await client.query('analyze signature_process');
    await client.query(signers, [ana.id, from, to, bia.rows[0]?.id, Math.max(1, Math.floor(count / OF_BIA))]);
    await client.query(documents, [from, to]);
    await client.query('analyze signer');
    await client.query('analyze document');
    await client.query(
      `select list_processes(array(select id from signature_process where substring(title from '[0-9]+$')::int between $1 and $2), true)`,
      [from, to],
    );
  }
  await client.query('drop index bench_number');
  for (const table of ['signature_process', 'signer']) await client.query(`alter table ${table} enable trigger user`);
  await client.query(`set maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('vacuum analyze');
}
