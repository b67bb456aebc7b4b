/**
 * Whole jobs with a certificate in a cloud: upload, process, the signer's leave at the provider, signature, archive (B-LTA by ICP-Brasil's timestamps),
 * report, end. One after the other, and several at once. The provider, ICP-Brasil's lists and both timestamp authorities are a program of their own.
 *
 *     node bench/cloud.ts [jobs, default 30] [at once, default 8]     (short: 2 2)
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { holder } from './cloud-world.ts';
import { makeDocument } from './make-document.ts';
import { quantile, startBenchedProduct } from './product.ts';
import { sentToSigner } from './sent-to-signer.ts';
import { count, type Counted } from './whole-job.ts';

/** An address may ask its provider 120 times in a quarter of an hour. */
const WARM = 20;
const total = Number(process.argv[2] ?? 30);
const lanes = Number(process.argv[3] ?? 8);
await using product = await startBenchedProduct({ program: join(import.meta.dirname, 'cloud-program.ts'), outside: 'cloud' });
const path = join(product.directory, 'input.pdf');
await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
const pdf = await readFile(path);
const { call, until } = product;

/** Milliseconds from the signer's leave. */
async function cloudJob(): Promise<{ untilSigned: number; untilEnded: number }> {
  const { processId, key } = await sentToSigner(product, Buffer.concat([pdf, Buffer.from(`% ${randomUUID()}\n`)]), 'DIGITAL_SIGNATURE');
  await until(processId, 'prepared');
  const { consent } = await call<{ consent: { hash: string } }>('GET', `api/requisitionInformation/${processId}?user=${key}`);
  const browser = randomBytes(16).toString('hex');
  const { url } = await call<{ url: string }>('POST', 'api/createUrlAuthorize', {
    processId,
    signerId: key,
    userLegalIdentifier: holder.cpf,
    userPsc: 'BIRDID',
    browser: createHash('sha256').update(browser).digest('hex'),
    consentHash: consent.hash,
    appearance: { style: 'model', image: null },
  });
  const back = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '').searchParams;
  const begun = performance.now();
  const came = { state: back.get('state'), code: back.get('code'), error: back.get('error') };
  await call('POST', 'api/createAuthorizeTransactionCallback', { ...came, id: 'psc', image: null, browser });
  await until(processId, 'signed');
  const untilSigned = performance.now() - begun;
  await until(processId, 'finished');
  return { untilSigned, untilEnded: performance.now() - begun };
}

const client = await product.connect();
for (let n = 0; n < Math.min(WARM, total); n += 1) await cloudJob();
const { rows } = await client.query<{ data: { level: string } }>(`select data from event where type = 'process.extended' limit 1`);
console.log(`cloud signing, ${rows[0]?.data.level ?? 'without validation data'}`);
for (const atOnce of [1, lanes]) {
  const each: Awaited<ReturnType<typeof cloudJob>>[] = [];
  const before = await count(product, client);
  const begun = performance.now();
  let left = total;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while ((left -= 1) >= 0) each.push(await cloudJob());
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const after = await count(product, client);
  const per = (what: keyof Counted) => Math.round((after[what] - before[what]) / total);
  const of = (what: 'untilSigned' | 'untilEnded', part: number) =>
    quantile(
      each.map((one) => one[what]),
      part,
    ).toFixed(0);
  console.log(`${atOnce === 1 ? 'one after the other' : `${atOnce} at once`}: ${(total / seconds).toFixed(2)} a second`);
  console.log(
    `  a job: ms of processor ${per('program')} program, ${per('workers')} workers, ${per('database')} database; ${per('statements')} statements, ` +
      `${per('syncs')} forced commits`,
  );
  console.log(
    `  ms from the leave: ${of('untilSigned', 0.5)} (95 %: ${of('untilSigned', 0.95)}) until SIGNED, ${of('untilEnded', 0.5)} until the end`,
  );
}
await client.end();
