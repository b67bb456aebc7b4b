/**
 * How long nothing is taken in while the database goes elsewhere: `lavra move` from the embedded PostgreSQL to Debian's, with so many processes as lists know
 * them, beside what reading the same rows once takes. Files go before, beside running nodes, and are not counted.
 *
 *     node bench/moving.ts [processes, default 100000]     (short: 2000)
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { columnsOf, quoted, withSnapshot } from '../apps/server/src/commands/moving/snapshot.ts';
import { copyOut } from '../apps/server/src/db/copy-stream.ts';
import { startSystemPostgres } from '../apps/server/src/testing/system-postgres.ts';
import { fillLists } from './list-data.ts';
import { startBenchedProduct } from './product.ts';

const count = Number(process.argv[2] ?? 100_000);
const postgres = await startSystemPostgres();
try {
  await using product = await startBenchedProduct();
  await fillLists(() => product.connect(), product.account, count);
  await product.end();
  const client = await product.connect();
  const read = { begun: performance.now(), bytes: 0, rows: 0 };
  const { facts } = await withSnapshot({ connectionString: product.environment['DATABASE_URL'] ?? '' }, (snapshot) =>
    Promise.resolve(snapshot),
  );
  for (const table of facts.tables) {
    const text = `copy (select ${columnsOf(table)} from ${quoted(table.schema)}.${quoted(table.name)}) to stdout`;
    for await (const chunk of copyOut(client, text)) {
      read.bytes += chunk.length;
      for (const byte of chunk) if (byte === 0x0a) read.rows += 1;
    }
  }
  const floor = performance.now() - read.begun;
  await client.end();

  const house = join(product.directory, 'house.env');
  writeFileSync(house, `DATABASE_URL=${postgres.url}\n`);
  const begun = performance.now();
  const move = join(import.meta.dirname, '../apps/server/src/commands/move.ts');
  const { status } = spawnSync(process.execPath, [move, house], { env: product.environment, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`the move ended with ${status}`);
  const took = performance.now() - begun;
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
  console.log(`${count} processes, ${read.rows} rows, ${(read.bytes / 1e6).toFixed(0)} MB: read once in ${seconds(floor)} s (floor)`);
  console.log(
    `moved in ${seconds(took)} s, in which nothing is taken in: ${(took / count).toFixed(3)} ms a process; ratio ${(took / floor).toFixed(1)}`,
  );
} finally {
  postgres.stop();
}
