/**
 * What a verification by identifier costs the program, its workers and the database: a finished document of one page is asked for again
 * and again by one who may, and verified from its stored bytes each time.
 *
 *     node bench/identifier.ts [verifications, default 60; fewer than an address may ask]     (short: 3)
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDocument } from './make-document.ts';
import { quantile, startBenchedProduct } from './product.ts';
import { count, type Counted, wholeJob } from './whole-job.ts';

const WARM = 20;
const total = Number(process.argv[2] ?? 60);
await using product = await startBenchedProduct();
const path = join(product.directory, 'input.pdf');
await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
await wholeJob(product, new Uint8Array(await readFile(path)));
const client = await product.connect();
const { rows } = await client.query<{ id: string }>('select id from document');
const [document] = rows;
if (!document) throw new Error('no document was kept');
const signer = 'bia@exemplo.com.br';
const asked = `api/loginValidation?documentId=${document.id}&emailSigner=${encodeURIComponent(signer)}`;
const { ticket } = await product.call<{ ticket: string | null }>('GET', asked);
if (ticket === null) throw new Error('the signer is not let in');
const look = `api/validation?documentId=${document.id}&ticket=${encodeURIComponent(ticket)}`;
async function verify(): Promise<number> {
  const begun = performance.now();
  const { status } = await product.call<{ status: string }>('GET', look);
  if (status !== 'FINALIZED_WITH_SUCCESS') throw new Error(`it is ${status}`);
  return performance.now() - begun;
}
for (let n = 0; n < Math.min(WARM, total); n += 1) await verify();
const before = await count(product, client);
const each: number[] = [];
for (let n = 0; n < total; n += 1) each.push(await verify());
const after = await count(product, client);
await client.end();
const per = (what: keyof Counted) => ((after[what] - before[what]) / total).toFixed(1);
console.log(`a verification by identifier: median ${quantile(each, 0.5).toFixed(1)} ms, 95 % ${quantile(each, 0.95).toFixed(1)} ms`);
console.log(
  `  ms of processor ${per('program')} program, ${per('workers')} workers, ${per('database')} database; ${per('statements')} statements`,
);
