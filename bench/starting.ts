/**
 * A start of an existing installation: from the command until it answers, and what of the processor that took; then what it takes while it
 * rests, and the memory that it holds then. The database server is there already; what Node has compiled is kept, as `npm start` keeps it.
 *
 *     node bench/starting.ts [starts, default 5] [seconds at rest, default 20]     (short: 1 1)
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile, startBenchedProduct } from './product.ts';
import { heldMegabytes } from './resident.ts';
import { spentBy } from './spent.ts';

const starts = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 20);
const main = join(import.meta.dirname, '../apps/server/src/main.ts');
// Its own, so that what another tree has compiled does not count.
const compiled = await mkdtemp(join(tmpdir(), 'lavra-compiled-'));
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }));
await using product = await startBenchedProduct({ variables: { NODE_COMPILE_CACHE: compiled } });
const client = await product.connect();
const { rows } = await client.query<{ pid: number }>(`select (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1]::int as pid`);
await client.end();
const postmaster = rows[0]?.pid ?? 0;
await product.end();
const each: number[] = [];
const spent: number[] = [];
for (let n = 0; n < starts; n += 1) {
  const begun = performance.now();
  const server = spawn(process.execPath, [main], { env: product.environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  let said = '';
  for await (const chunk of server.stdout as AsyncIterable<Buffer>) {
    said += chunk.toString();
    if (/Lavra: \S+/.test(said)) break;
  }
  if (!/Lavra: \S+/.test(said)) throw new Error('the product stopped');
  each.push(performance.now() - begun);
  const started = await spentBy(server.pid ?? 0, postmaster);
  spent.push(started?.program ?? 0);
  if (n === starts - 1) {
    await sleep(3000);
    const from = await spentBy(server.pid ?? 0, postmaster);
    await sleep(seconds * 1000);
    const to = await spentBy(server.pid ?? 0, postmaster);
    const rate = (what: 'program' | 'workers' | 'database') => (((to?.[what] ?? 0) - (from?.[what] ?? 0)) / seconds).toFixed(1);
    console.log(`at rest: ms of processor a second ${rate('program')} program, ${rate('workers')} workers, ${rate('database')} database`);
    const held = heldMegabytes(server.pid ?? 0, postmaster);
    const [program, workers, database] = [held.program, held.workers, held.database].map((megabytes) => megabytes.toFixed(0));
    console.log(`at rest: MB (Pss) ${program} program, ${workers} workers, ${database} database`);
  }
  server.kill('SIGTERM');
  await ended;
}
console.log(
  `start of an existing installation: median ${quantile(each, 0.5).toFixed(0)} ms, ${quantile(spent, 0.5).toFixed(0)} ms of the program's processor`,
);
