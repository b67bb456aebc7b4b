/**
 * How long lists, counters and searches take with 10,000, 100,000 and 1,000,000 processes of one account (Ana's) and of one
 * installation (in which Bia has a thousand), over the product's own calls, on the embedded PostgreSQL and on Debian's. All sizes are
 * asked in turn, so that whatever else the machine does meets them alike. The 95th percentile of the largest is at most twice that of
 * the smallest, or the program ends with 1.
 *
 *     node bench/list.ts [requests, default 60] [sizes, default 10000,100000,1000000] [embedded | debian, default both]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startSystemPostgres } from '../apps/server/src/testing/system-postgres.ts';
import { fillLists } from './list-data.ts';
import { type BenchedProduct, quantile, startBenchedProduct } from './product.ts';

const MOST_RATIO = 2;
/** A list that was measured while the machine was busy elsewhere is measured anew. */
const TRIES = 3;

/** What is asked; `false`: told, and not held to the ratio. */
const lists: [label: string, query: string, isHeld?: false][] = [
  ['everything, first page', ''],
  ['everything, page 400', '&page=400'],
  ['everything, last page', '&page=last'],
  ['everything, in the middle', '&page=middle', false],
  ['asked for by me', '&sortRequested=true'],
  ['sent to me', '&sortReceived=true'],
  ['waiting for me', '&sortPending=true'],
  ['by title', '&sortBy=title&direction=asc'],
  ['by deadline', '&sortBy=dueDate'],
  ['by state', '&sortBy=status&direction=asc'],
  ['by end', '&sortBy=finalizedDate'],
  ['search, a word of a fifth', '&searchText=locacao'],
  ['search, a signer’s surname', '&searchText=araujo'],
  ['search, an e-mail’s beginning', '&searchText=conceicao12'],
  ['search, one hit', '&searchText=4321'],
  ['search, one file', '&searchText=procuracao-1002.pdf'],
  ['search, two words', '&searchText=Magalhaes distrato'],
  ['search, two letters', '&searchText=co'],
  ['search, no hit', '&searchText=inexistente'],
  ['search, two letters, no hit', '&searchText=zq'],
  ['search among waiting for me', '&searchText=contrato&sortPending=true'],
  ['search, by title', '&searchText=locacao&sortBy=title&direction=asc'],
  ['search, its hits sorted last', '&searchText=aditivo&sortBy=title&direction=desc', false],
];

interface Place {
  size: number;
  product: BenchedProduct;
  tokens: { ana: string; bia: string };
  /** A session's token lives for minutes. */
  signIn(): Promise<void>;
}

async function place(size: number, database?: { url: string }): Promise<Place> {
  const product = await startBenchedProduct(database ? { database } : {});
  const began = performance.now();
  await fillLists(() => product.connect(), product.account, size);
  console.log(`${size} processes written in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const tokenOf = async (username: string) =>
    (await product.call<{ id_token: string }>('POST', 'api/authenticate', { username, password: 'Segredo123' })).id_token;
  const tokens = { ana: '', bia: '' };
  const signIn = async () => {
    tokens.ana = await tokenOf(product.account.email);
    tokens.bia = await tokenOf('bia@exemplo.com.br');
  };
  return { size, product, tokens, signIn };
}

async function ask({ product, tokens }: Place, whose: 'ana' | 'bia', address: string): Promise<{ total: number }> {
  const answer = await fetch(`${product.url}/${address}`, { headers: { authorization: `Bearer ${tokens[whose]}` } });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { total: number };
}

/** Milliseconds of each place, asked in turn. */
async function inTurn(places: readonly Place[], times: number, act: (place: Place) => Promise<unknown>): Promise<number[][]> {
  const samples: number[][] = places.map(() => []);
  for (let n = -8; n < times; n += 1) {
    for (const [index, one] of places.entries()) {
      const start = performance.now();
      await act(one);
      if (n >= 0) samples[index]?.push(performance.now() - start);
    }
  }
  return samples;
}

/** The answer's 95th percentile at the largest, as a ratio to that at the smallest. */
async function compare(places: readonly Place[], times: number, act: (place: Place) => Promise<unknown>) {
  let least = { ratio: Infinity, told: '' };
  for (let tried = 0; tried < TRIES && least.ratio > MOST_RATIO; tried += 1) {
    if (tried > 0) await sleep(500);
    const samples = await inTurn(places, times, act);
    const high = samples.map((sample) => quantile(sample, 0.95));
    const ratio = (high.at(-1) ?? 0) / (high[0] ?? 1);
    const told = samples.map((sample, n) => `${quantile(sample, 0.5).toFixed(1)} / ${high[n]?.toFixed(1)}`.padStart(16)).join('');
    if (ratio < least.ratio) least = { ratio, told };
  }
  return least;
}

async function measure(name: string, places: readonly Place[], times: number): Promise<number> {
  let missed = 0;
  for (const whose of ['ana', 'bia'] as const) {
    console.log(
      `\n${name}: ${whose === 'ana' ? 'all of one account' : 'a thousand of one account, the rest of others'}; median / 95 % in ms`,
    );
    console.log(`${''.padEnd(32)}${places.map(({ size }) => String(size).padStart(16)).join('')}   ratio of 95 %`);
    const row = async (label: string, act: (place: Place) => Promise<unknown>, isHeld = true) => {
      const { ratio, told } = await compare(places, times, act);
      const isMissed = isHeld && ratio > MOST_RATIO;
      if (isMissed) missed += 1;
      console.log(`${label.padEnd(32)}${told}${ratio.toFixed(2).padStart(10)}${isMissed ? ' !' : ''}`);
    };
    for (const [label, query, isHeld] of lists) {
      for (const one of places) await one.signIn();
      const totals = new Map<Place, number>();
      for (const one of places) totals.set(one, (await ask(one, whose, 'api/buildProcessesInfos?size=1')).total);
      const address = (one: Place) => {
        const pages = Math.ceil((totals.get(one) ?? 0) / 10);
        const asked = query.replace('=last', `=${pages - 1}`).replace('=middle', `=${Math.floor(pages / 2)}`);
        return `api/buildProcessesInfos?size=10${asked}`;
      };
      await row(label, (one) => ask(one, whose, address(one)), isHeld);
    }
    await row('the three counters', (one) => ask(one, whose, 'api/buildCounterInfos'));
    await row('usage', (one) => ask(one, whose, 'api/checkUsageAlert'));
  }
  return missed;
}

async function onDebian<T>(sizes: readonly number[], run: (url: (size: number) => string) => Promise<T>): Promise<T> {
  const postgres = await startSystemPostgres();
  try {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    for (const size of sizes) await client.query(`create database lavra_${size}`);
    await client.end();
    return await run((size) => Object.assign(new URL(postgres.url), { pathname: `/lavra_${size}` }).href);
  } finally {
    postgres.stop();
  }
}

async function measureOn(name: string, sizes: readonly number[], times: number, url?: (size: number) => string): Promise<number> {
  const places: Place[] = [];
  try {
    for (const size of sizes) places.push(await place(size, url ? { url: url(size) } : undefined));
    return await measure(name, places, times);
  } finally {
    for (const { product } of places) await product[Symbol.asyncDispose]();
  }
}

const times = Number(process.argv[2] ?? 60);
const sizes = (process.argv[3] ?? '10000,100000,1000000').split(',').map(Number);
const only = process.argv[4];
let missed = 0;
if (only !== 'debian') missed += await measureOn('embedded PostgreSQL', sizes, times);
if (only !== 'embedded') missed += await onDebian(sizes, (url) => measureOn('Debian’s PostgreSQL', sizes, times, url));
// A few requests to small lists, as in the short mode, say nothing of their ratio.
if (missed > 0 && times >= 20) {
  console.error(`${missed} take more than ${MOST_RATIO} times as long with ${sizes.at(-1)} as with ${sizes[0]}`);
  process.exit(1);
}
