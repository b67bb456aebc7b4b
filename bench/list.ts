/**
 * How long the list of processes takes with 10,000 of them, as a ratio to the least that any list could cost: a bare
 * SELECT of ten rows by primary key over one open connection in the same run. The list goes through the product's own
 * call: session, page of ten by creation date, total, search and filters.
 *
 *     node bench/list.ts [requests, default 60] [processes, default 10000]     (short: 3 300)
 */
import type pg from 'pg';
import { type BenchedProduct, quantile, startBenchedProduct } from './product.ts';

/** Two thirds asked for by the account, the rest by somebody else who has the account sign; two signers each. */
async function fill(client: pg.Client, account: BenchedProduct['account'], processes: number): Promise<void> {
  const statements: [string, unknown[]][] = [
    [
      `insert into app_user (id, login, email, first_name, login_type, lang_key, activated, authorities, created_at)
       values (gen_random_uuid(), 'outro', 'outro@exemplo.com.br', 'Outro', 'LOCAL', 'pt-br', true, '{}', now())`,
      [],
    ],
    [
      `insert into signature_process (id, owner_id, title, status, modality, geolocation, lang_key, created_at, started_at, touched_at, due_date)
       select gen_random_uuid(), case when n % 3 = 0 then other.id else $1::uuid end,
              (array['Contrato de locação', 'Termo de adesão', 'Procuração', 'Distrato', 'Aditivo contratual'])[1 + n % 5] || ' nº ' || n,
              (array['IN_PROGRESS', 'FINALIZED_WITH_SUCCESS', 'FINALIZED_WITH_SUCCESS', 'CREATOR_CANCELED'])[1 + n % 4],
              'electronic', 'optional', 'pt-br', now() - n * interval '7 minutes', now(), now(), now() + n * interval '1 hour'
       from generate_series(1, $2::int) n, (select id from app_user where login = 'outro') other`,
      [account.id, processes],
    ],
    [
      `insert into signer (id, signature_process_id, user_id, name, email, "order", status, visible, lang_key, created_at)
       select gen_random_uuid(), p.id, case when p.owner_id <> $1::uuid and k = 0 then $1::uuid end, 'Pessoa', case when p.owner_id <> $1::uuid and k = 0 then $2 else 'pessoa' || (random() * 3000)::int || '@exemplo.com.br' end,
              k, case when p.status = 'IN_PROGRESS' then (array['SENT', 'WAITING'])[k + 1] else 'SIGNED' end, false, 'pt-br', p.created_at
       from signature_process p, generate_series(0, 1) k`,
      [account.id, account.email],
    ],
    ['analyze', []],
  ];
  for (const [text, values] of statements) await client.query(text, values);
}

async function timed(times: number, act: () => Promise<unknown>): Promise<number[]> {
  for (let n = 0; n < 5; n += 1) await act();
  const samples: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const start = performance.now();
    await act();
    samples.push(performance.now() - start);
  }
  return samples;
}

const times = Number(process.argv[2] ?? 60);
const processes = Number(process.argv[3] ?? 10_000);
await using product = await startBenchedProduct();
const client = await product.connect();
await fill(client, product.account, processes);
const { rows } = await client.query<{ id: string }>('select id from signature_process limit 10');
const ids = rows.map(({ id }) => id);
const bare = await timed(times * 5, () =>
  client.query({
    name: 'bare',
    text: 'select id, title, status, created_at, due_date from signature_process where id = any($1)',
    values: [ids],
  }),
);
const floor = quantile(bare, 0.5);
const lists: [string, string][] = [
  ['everything, first page', ''],
  ['everything, page 500', '&page=500'],
  ['asked for by me', '&sortRequested=true'],
  ['sent to me', '&sortReceived=true'],
  ['waiting for me', '&sortPending=true'],
  ['search, a word of a fifth', `&searchText=${encodeURIComponent('locacao')}`],
  ['search, one hit', `&searchText=${encodeURIComponent('Nº 4321')}`],
  ['search, two letters', '&searchText=co'],
  ['search, no hit', '&searchText=inexistente'],
  ['search among waiting for me', '&searchText=contrato&sortPending=true'],
];
console.log(
  `${processes} processes; bare SELECT of 10 rows by primary key: median ${floor.toFixed(2)} ms, 95 % ${quantile(bare, 0.95).toFixed(2)} ms`,
);
console.log('list                           found   median ms   95 % ms   ratio of medians');
for (const [label, query] of lists) {
  const address = `api/buildProcessesInfos?size=10&sortBy=createdDate&direction=desc${query.includes('&page=') ? '' : '&page=0'}${query}`;
  const { total } = await product.call<{ total: number }>('GET', address);
  const samples = await timed(times, () => product.call('GET', address));
  const median = quantile(samples, 0.5);
  console.log(
    [
      label.padEnd(30),
      String(total).padStart(6),
      median.toFixed(2).padStart(11),
      quantile(samples, 0.95).toFixed(2).padStart(9),
      (median / floor).toFixed(1).padStart(9),
    ].join(' '),
  );
}
const counters = await timed(times, () => product.call('GET', 'api/buildCounterInfos'));
console.log(`the three counters: median ${quantile(counters, 0.5).toFixed(2)} ms, ratio ${(quantile(counters, 0.5) / floor).toFixed(1)}`);
await client.end();
