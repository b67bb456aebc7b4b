/**
 * A start of an existing installation: by `npm start` with the embedded database, and of the program alone, until it answers; what of the processor the latter takes; then what it takes while it
 * rests, and the memory that it holds then. The database server is there already; the program is one file and what Node has
 * compiled is kept, as `npm start` has it.
 *
 *     node bench/starting.ts [starts, default 5] [seconds at rest, default 120]     (short: 1 1)
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
import { startByCommand } from './starting-by-command.ts';

const starts = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 120);
// As `npm start` runs it.
const { buildProgram } = (await import(join(import.meta.dirname, '../scripts/launch.mjs'))) as { buildProgram(): string };
const main = buildProgram();
// Its own, so that what another tree has compiled does not count.
const compiled = await mkdtemp(join(tmpdir(), 'lavra-compiled-'));
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }));
await using product = await startBenchedProduct({ program: main, variables: { NODE_COMPILE_CACHE: compiled } });
const client = await product.connect();
const { rows } = await client.query<{ pid: number }>(`select (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1]::int as pid`);
await client.end();
const postmaster = rows[0]?.pid ?? 0;
await product.end();
/** Longer than an idle connection is kept, and than Node waits until it looks through all that the start has left (some hundred seconds). */
const SETTLED_MS = 150_000;
const parts = ['program', 'workers', 'database'] as const;
type Part = (typeof parts)[number];
const told = (value: (part: Part) => number, decimals: number): string => {
  const all = parts.reduce((sum, part) => sum + value(part), 0);
  return `${all.toFixed(decimals)}: ${parts.map((part) => `${value(part).toFixed(decimals)} ${part}`).join(', ')}`;
};
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
    // What the start left to be done is done by then, and connections that only it needed are closed.
    await sleep(Math.min(SETTLED_MS, seconds * 1000));
    const from = await spentBy(server.pid ?? 0, postmaster);
    await sleep(seconds * 1000);
    const to = await spentBy(server.pid ?? 0, postmaster);
    console.log(`at rest: ms of processor a second ${told((what) => ((to?.[what] ?? 0) - (from?.[what] ?? 0)) / seconds, 1)}`);
    const held = heldMegabytes(server.pid ?? 0, postmaster);
    console.log(`at rest: MB (Pss) ${told((what) => held[what], 0)}`);
  }
  server.kill('SIGTERM');
  await ended;
}
console.log(
  `start of an existing installation: median ${quantile(each, 0.5).toFixed(0)} ms, ${quantile(spent, 0.5).toFixed(0)} ms of the program's processor`,
);
console.log(`the command npm start, embedded database: median ${quantile(await startByCommand(starts), 0.5).toFixed(0)} ms`);
