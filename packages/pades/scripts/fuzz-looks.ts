import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attackWorld } from '../src/testing/attacks/world.ts';
import { startEngines } from '../src/testing/looks/engines.ts';
import { Hunt } from '../src/testing/looks/hunt.ts';
import type { Catch } from '../src/testing/looks/hunt.ts';
import { Oracle, nameOf } from '../src/testing/looks/oracle.ts';
import { findOut } from '../src/testing/looks/self-test.ts';

/**
 * Asks whether anybody sees what nobody signed: files and what becomes of them by grammar, judged by the verifier and drawn
 * before and after by everybody at hand. `npm run fuzz:looks -- [minutes] [seed]`. A signature that passes though something
 * else is shown outside the boxes that were filled or signed is a find, and so is an honest file that does not pass: it is
 * kept as files and as a story that belongs into `vectors/looks.ts`. With `--self-test`, verifiers that lack a rule must be
 * found out within the minutes.
 */
const lanes = 3;
const isSelfTest = process.argv.includes('--self-test');
const [minutes = '5', first] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const start = performance.now();
const until = start + Number(minutes) * 60_000;
const world = await attackWorld();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-looks-'));
const finds = join(folder, 'finds');
mkdirSync(finds);
const engines = await startEngines(folder);
const oracle = new Oracle(engines.views, world.options);
const isDue = (): boolean => performance.now() >= until;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

function keep({ seed, story, base, file, what, words }: Catch, count: number): void {
  const path = join(finds, `${seed}-${count}`);
  writeFileSync(`${path}.before.pdf`, base);
  writeFileSync(`${path}.after.pdf`, file);
  writeFileSync(`${path}.json`, JSON.stringify(story, null, 1));
  say(`FIND (${what}), seed ${seed}, kept as ${path}.*: ${words}\n  again: npm run fuzz:looks -- 0.5 ${seed}\n  ${JSON.stringify(story)}`);
}

let seed = first === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(first);
say(`seed ${seed}, ${minutes} minutes; ${engines.views.map(nameOf).join(', ')}`);
for (const name of engines.missing) say(`MISSING: ${name} is not installed, its view is not asked`);
const incomplete = engines.missing.length > 0 && process.env['CI'] !== undefined;

/** A hunt that would not notice a verifier without a rule is none. */
async function selfTest(): Promise<boolean> {
  const caught = await findOut(world, oracle, seed, isDue);
  for (const [name, files] of caught) say(`${files === null ? 'NOT FOUND OUT' : `found out after ${files} files`}: blind to ${name}`);
  return ![...caught.values()].includes(null);
}

if (isSelfTest) {
  const good = await selfTest();
  await engines.close();
  process.exit(good && !incomplete ? 0 : 1);
}
const hunt = new Hunt(world, oracle);
let count = 0;
/** While one waits for its pictures, another is judged. */
async function lane(): Promise<void> {
  while (!isDue()) for await (const found of hunt.go(seed++, isDue)) keep(found, ++count);
}
await Promise.all(Array.from({ length: lanes }, lane));
await engines.close();
const { tally } = hunt;
say(`\n${tally.table()}\n`);
say([...oracle.drawn].map(([name, times]) => `${name}: ${times} files before and after`).join('\n'));
say(
  `\n${tally.files} files of ${tally.documents} documents, ${tally.looked} passed and were looked at, ${tally.notMade} not gone on with by the signer; ${count} finds; next seed ${seed}`,
);
if (incomplete) say(`Not all engines were asked: ${engines.missing.join(', ')}`);
// 3: the hunt was whole, and found something.
process.exit(incomplete ? 1 : count > 0 ? 3 : 0);
