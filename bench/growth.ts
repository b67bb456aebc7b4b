/**
 * How a job grows: what it costs with more signers, more documents and more pages, as a multiple of the job of one of each; and what a signer's page costs
 * of a process with fifty documents of two thousand pages, as a multiple of a small one's.
 *
 *     node bench/growth.ts [jobs of each shape, default 5] [how many is many, default 10] [pages, default 200]     (short: 1 2 3)
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDocument } from './make-document.ts';
import { type BenchedProduct, startBenchedProduct } from './product.ts';
import { sentToSigners } from './sent-to-signer.ts';
import { count, type Counted, largeJob, wholeJob } from './whole-job.ts';

interface Shape {
  documents: number;
  signers: number;
  pages: number;
}

const WARM = 20;
const LOOKS = 60;
const [jobs = 5, many = 10, pages = 200] = process.argv.slice(2).map(Number);
/** As large as a process may be. */
const DOCUMENTS = Math.min(50, many * 5);
const PAGES = 2000;
await using product = await startBenchedProduct();
const client = await product.connect();
client.on('error', () => {});

async function documentOf(pageCount: number): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(product.directory, `input-${pageCount}.pdf`);
  await makeDocument(path, { pages: pageCount, padding: 0, objectStreams: false }, () => new Uint8Array());
  return new Uint8Array(await readFile(path));
}

async function costOf(act: () => Promise<unknown>, times: number): Promise<Counted> {
  const before = await count(product, client);
  for (let n = 0; n < times; n += 1) await act();
  const after = await count(product, client);
  const each = Object.keys(after).map((what) => [what, (after[what as keyof Counted] - before[what as keyof Counted]) / times]);
  return Object.fromEntries(each) as Counted;
}

const processor = ({ program, workers, database }: Counted) => program + workers + database;

const small = await documentOf(1);
for (let n = 0; n < Math.min(WARM, jobs * 4); n += 1) await wholeJob(product, small);
const shapes: readonly Shape[] = [
  { documents: 1, signers: 1, pages: 1 },
  { documents: 1, signers: many, pages: 1 },
  { documents: many, signers: 1, pages: 1 },
  { documents: many, signers: many, pages: 1 },
  { documents: 1, signers: 1, pages },
];
console.log('documents  signers  pages   ms of processor  times   statements  times   a signature: ms, statements');
let one: Counted | undefined;
for (const { documents, signers, pages: pageCount } of shapes) {
  const pdf = await documentOf(pageCount);
  const cost = await costOf(() => largeJob(product, Array<Uint8Array<ArrayBuffer>>(documents).fill(pdf), signers), jobs);
  one ??= cost;
  const signatures = documents * signers;
  console.log(
    [
      `${documents}`.padStart(9),
      `${signers}`.padStart(8),
      `${pageCount}`.padStart(6),
      processor(cost).toFixed(0).padStart(17),
      (processor(cost) / processor(one)).toFixed(1).padStart(6),
      cost.statements.toFixed(0).padStart(12),
      (cost.statements / one.statements).toFixed(1).padStart(6),
      `${(processor(cost) / signatures).toFixed(0)}, ${(cost.statements / signatures).toFixed(1)}`.padStart(25),
    ].join(' '),
  );
}

/** A process whose signer may sign; `pageCount` as the database has it of each document. */
async function waiting(documents: number, pageCount: number): Promise<string> {
  const { processId, keys } = await sentToSigners(product, Array<Uint8Array>(documents).fill(small), 1);
  await product.until(processId, 'prepared');
  // Nobody may change a document that is under way: not this once.
  await client.query(`set session_replication_role = replica`);
  await client.query(
    `update document set page_count = $2, pages = (select jsonb_agg(first.page) from (select document.pages->0 as page, generate_series(1, $2::int)) as first) where signature_process_id = $1`,
    [processId, pageCount],
  );
  await client.query(`set session_replication_role = origin`);
  return `api/requisitionInformation/${processId}?user=${keys[0]}`;
}

async function lookAt(benched: BenchedProduct, page: string): Promise<void> {
  const { me } = await benched.call<{ me: { can: { sign: boolean } } }>('GET', page);
  if (!me.can.sign) throw new Error('the signer may not act');
}

const looks = Math.min(LOOKS, jobs * 12);
const pagesOfSigners = [await waiting(1, 1), await waiting(DOCUMENTS, 1), await waiting(DOCUMENTS, PAGES)] as const;
for (const page of pagesOfSigners) for (let n = 0; n < Math.min(WARM, looks); n += 1) await lookAt(product, page);
const costs: Counted[] = [];
for (const page of pagesOfSigners) costs.push(await costOf(() => lookAt(product, page), looks));
const [ofOne, ofMany, ofPages] = costs.map(processor) as [number, number, number];
console.log(
  `a signer's page: ${ofOne.toFixed(1)} ms of processor with one document; ${ofMany.toFixed(1)} (${(ofMany / ofOne).toFixed(1)} times) with ${DOCUMENTS}; ` +
    `${ofPages.toFixed(1)} (${(ofPages / ofOne).toFixed(1)} times) where each of these has ${PAGES} pages`,
);
await client.end();
