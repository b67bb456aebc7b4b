/**
 * Whole jobs per second through the product's own calls: upload a page, create the process, one signer signs
 * electronically, and everything is sealed (B-LTA), reported and finished. One after the other and several at once, as
 * a ratio to a floor measured in the same run: the same number of bare signatures by @lavra/pades on the same file, of
 * files forced to disk, of rows and of forced commits (as counted while the jobs ran) on the same database server.
 *
 *     node bench/jobs.ts [jobs, default 20] [at once, default 8]     (short: 2 2)
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memorySource, openPdf, signPdf } from '@lavra/pades';
import type pg from 'pg';
import { throwawaySigner } from '../packages/pades/src/testing/throwaway-signer.ts';
import { makeDocument } from './make-document.ts';
import { quantile, startBenchedProduct } from './product.ts';
import { count, type Counted, type JobTimes, wholeJob } from './whole-job.ts';

/** The signer's, the seal of the document, the seal of the report. */
const SIGNATURES = 3;
/** Upload, preparation, signature, seal, archive data, report, the signature's image. */
const FILES = 7;
/**
 * Jobs before anything is counted: a program that runs for days has long compiled what it runs. After thirty, a job takes a sixth
 * more than after three hundred.
 */
const WARM = 300;
/** Fewer jobs than these are a trial of the bench. */
const LEAST = 10;

const stages: JobTimes[] = [];

async function floorJob(client: pg.Client, directory: string, pdf: Uint8Array, each: Pick<Counted, 'rows' | 'syncs'>): Promise<void> {
  const signer = throwawaySigner('Bench');
  for (let n = 0; n < SIGNATURES; n += 1)
    await signPdf(await openPdf(memorySource(pdf)), signer, { field: { name: 'Signature1' }, signingTime: new Date() });
  for (let n = 0; n < FILES; n += 1) {
    const file = await open(join(directory, randomUUID()), 'wx');
    await file.write(pdf);
    await file.sync();
    await file.close();
  }
  const perCommit = Math.max(1, Math.round(each.rows / each.syncs));
  for (let n = 0; n < each.syncs; n += 1) {
    await client.query('begin');
    for (let row = 0; row < perCommit; row += 1)
      await client.query({ name: 'floor', text: 'insert into bench_floor (data) values ($1)', values: ['x'.repeat(200)] });
    await client.query('commit');
  }
}

/** Runs `total` jobs over `atOnce` lanes; answers jobs per second and what each took. */
async function timed(total: number, atOnce: number, job: (lane: number) => Promise<void>): Promise<{ perSecond: number; each: number[] }> {
  const each: number[] = [];
  let left = total;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      while (left > 0) {
        left -= 1;
        const begun = performance.now();
        await job(lane);
        each.push(performance.now() - begun);
      }
    }),
  );
  return { perSecond: (total * 1000) / (performance.now() - start), each };
}

const total = Number(process.argv[2] ?? 20);
const lanes = Number(process.argv[3] ?? 8);
await using product = await startBenchedProduct();
const path = join(product.directory, 'input.pdf');
await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
const pdf = new Uint8Array(await readFile(path));
const floorFiles = join(product.directory, 'floor');
await mkdir(floorFiles);
const clients = await Promise.all(Array.from({ length: lanes }, () => product.connect()));
const [client] = clients as [pg.Client];
await client.query('create table bench_floor (id bigserial primary key, data text not null)');
const warm = total < LEAST ? total : WARM;
for (let n = 0; n < warm; n += 1) await wholeJob(product, pdf);
await floorJob(client, floorFiles, pdf, { rows: 10, syncs: 10 });
console.log('whole jobs        per second   median ms   95 % ms   floor per second   ratio   per job: rows, forced commits');
for (const atOnce of [1, lanes]) {
  // Several at once have worker processes that one after the other never needed.
  if (atOnce > 1) await timed(warm, atOnce, () => wholeJob(product, pdf).then(() => {}));
  stages.length = 0;
  const reported = total < LEAST ? 'most' : 'all';
  const before = await count(product, client, reported);
  const ours = await timed(total, atOnce, async () => void stages.push(await wholeJob(product, pdf)));
  const { eventLoop } = await product.call<{ eventLoop: { p99Ms: number } }>('GET', 'management/threaddump');
  const after = await count(product, client, reported);
  const per = (what: keyof Counted) => Math.round((after[what] - before[what]) / total);
  const each = { rows: per('rows'), syncs: per('syncs') };
  const floor = await timed(total, atOnce, (lane) => floorJob(clients[lane] ?? client, floorFiles, pdf, each));
  // A session that rests reports what it wrote within ten seconds: not among what is counted next.
  for (const one of clients) await one.query('select pg_stat_force_next_flush()');
  console.log(
    [
      (atOnce === 1 ? 'one after the other' : `${atOnce} at once`).padEnd(19),
      ours.perSecond.toFixed(2).padStart(8),
      quantile(ours.each, 0.5).toFixed(0).padStart(11),
      quantile(ours.each, 0.95).toFixed(0).padStart(9),
      floor.perSecond.toFixed(2).padStart(18),
      (floor.perSecond / ours.perSecond).toFixed(1).padStart(7),
      `${each.rows}, ${each.syncs}`.padStart(12),
    ].join(' '),
  );
  console.log(
    `  a job: ms of processor ${per('program')} program, ${per('workers')} workers, ${per('database')} database; ` +
      `${per('statements')} statements, ${Math.round(per('wal') / 1024)} kB of log`,
  );
  const of = (stage: keyof JobTimes, part: number) =>
    quantile(
      stages.map((one) => one[stage]),
      part,
    ).toFixed(0);
  console.log(
    `  median ms: ${of('untilSent', 0.5)} until sent, ${of('untilMayAct', 0.5)} until the signer may act; from the act ${of('untilSigned', 0.5)} ` +
      `(95 %: ${of('untilSigned', 0.95)}) until SIGNED, ${of('untilEnded', 0.5)} until the end; event loop late by ${eventLoop.p99Ms.toFixed(0)} (99 %)`,
  );
}
for (const one of clients) await one.end();
