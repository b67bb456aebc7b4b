/**
 * The same whole jobs on a commit and on this tree as it stands, in turns in one run, so that what else the machine does falls on both:
 * what a job costs each of them in processor time, statements, forced commits and log. Times of the clock are not compared.
 *
 * COMMIT..OTHER: two commits. What is compared is copied before anything runs: the tree may change meanwhile.
 *
 *     node bench/compare.ts COMMIT [rounds, default 5] [jobs a round, default 4]     (short: HEAD 1 1)
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { makeDocument } from './make-document.ts';
import { type BenchedProduct, quantile, startBenchedProduct } from './product.ts';
import { filesOf, filesOfThisTree } from './files-of.ts';
import { count, type Counted, wholeJob } from './whole-job.ts';

/** Jobs before anything is counted. */
const WARM = 30;

const [commit, rounds = '5', jobs = '4'] = process.argv.slice(2);
if (commit === undefined) {
  console.error('Uso: npm run bench -- compare COMMIT');
  process.exit(1);
}

const [one = '', other] = commit.split('..');

interface Side {
  name: string;
  product: BenchedProduct;
  client: pg.Client;
  /** Of each round, for one job. */
  costs: Counted[];
}

async function start(name: string, product: BenchedProduct): Promise<Side> {
  return { name, product, client: await product.connect(), costs: [] };
}

const measured = ['program', 'workers', 'database', 'statements', 'syncs', 'rows', 'wal'] as const satisfies readonly (keyof Counted)[];

async function round({ product, client, costs }: Side, pdf: Uint8Array<ArrayBuffer>, total: number): Promise<void> {
  const before = await count(product, client);
  for (let n = 0; n < total; n += 1) await wholeJob(product, pdf);
  const after = await count(product, client);
  costs.push(Object.fromEntries(measured.map((what) => [what, (after[what] - before[what]) / total])) as unknown as Counted);
}

const median = ({ costs }: Side, what: keyof Counted) =>
  quantile(
    costs.map((cost) => cost[what]),
    0.5,
  );

const directory = await mkdtemp(join(tmpdir(), 'lavra-compare-'));
try {
  const trees = [join(directory, 'before'), join(directory, 'now')] as const;
  await filesOf(one, trees[0]);
  await (other ? filesOf(other, trees[1]) : filesOfThisTree(trees[1]));
  await using before = await startBenchedProduct({ tree: trees[0] });
  await using now = await startBenchedProduct({ tree: trees[1] });
  const path = join(directory, 'input.pdf');
  await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
  const pdf = new Uint8Array(await readFile(path));
  const sides = [await start(one.slice(0, 10), before), await start(other?.slice(0, 10) ?? 'this tree', now)] as const;
  // What is made once, and kept; and what a program that runs for days has long compiled.
  for (const { product } of sides) for (let n = 0; n < Math.min(WARM, Number(rounds) * Number(jobs)); n += 1) await wholeJob(product, pdf);
  for (let n = 0; n < Number(rounds); n += 1)
    for (const side of n % 2 === 0 ? sides : sides.toReversed()) await round(side, pdf, Number(jobs));
  console.log(
    `a job, the median of ${rounds} rounds of ${jobs}`.padEnd(38) + sides.map(({ name }) => name.padStart(12)).join('') + '       ratio',
  );
  const words: Record<(typeof measured)[number], string> = {
    program: 'ms of processor: program',
    workers: 'ms of processor: workers',
    database: 'ms of processor: database',
    statements: 'statements (polling among them)',
    syncs: 'forced commits',
    rows: 'rows',
    wal: 'bytes of log',
  };
  for (const what of measured) {
    const [old, current] = [median(sides[0], what), median(sides[1], what)];
    console.log(
      `${words[what].padEnd(38)}${old.toFixed(0).padStart(12)}${current.toFixed(0).padStart(12)}${(current / old).toFixed(2).padStart(12)}`,
    );
  }
  for (const { client } of sides) await client.end();
} finally {
  await rm(directory, { recursive: true, force: true });
}
