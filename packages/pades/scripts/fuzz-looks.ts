import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attackWorld } from '../src/testing/attacks/world.ts';
import { startEngines } from '../src/testing/looks/engines.ts';
import { Hunt } from '../src/testing/looks/hunt.ts';
import type { Catch } from '../src/testing/looks/hunt.ts';
import { endsBy, huntSeeds } from '../src/testing/looks/lanes.ts';
import { Oracle, nameOf } from '../src/testing/looks/oracle.ts';
import { blindnesses, findOut } from '../src/testing/looks/self-test.ts';
import { watchdog } from '../src/testing/looks/watchdog.ts';

/**
 * Asks whether anybody sees what nobody signed: files and what becomes of them by grammar, judged by the verifier and drawn
 * before and after by everybody at hand. `npm run fuzz:looks -- [minutes] [seed]`. A signature that passes though something
 * else is shown outside the boxes that were filled or signed is a find, and so is an honest file that does not pass: it is
 * kept as files and as a story that belongs into `vectors/looks.ts`. It ends in its minutes and one more, whatever hangs.
 *
 * With `--self-test`, verifiers that lack a rule must be found out, each by its pinned seed; with `--self-test --fresh` by the
 * seeds from the given one on, within the minutes: that is how a seed is found that can be pinned.
 */
const lanes = 3;
// Several drawings of one file, each with its own limit, on a machine that others use.
const grace = 60_000;
const isSelfTest = process.argv.includes('--self-test');
const isFresh = process.argv.includes('--fresh');
const [minutes = '5', first] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const until = performance.now() + Number(minutes) * 60_000;
const isDue = (): boolean => performance.now() >= until;
const inHand = new Int32Array(new SharedArrayBuffer(4 * lanes));
await watchdog(Number(minutes) * 60_000 + grace + 8000, inHand);
const world = await attackWorld();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-looks-'));
const finds = join(folder, 'finds');
mkdirSync(finds);
const engines = await startEngines(folder);
const oracle = new Oracle(engines.views, world.options);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seed = first === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(first);
let count = 0;

function keep({ seed: own, story, base, file, what, words }: Catch): void {
  const path = join(finds, `${own}-${++count}`);
  writeFileSync(`${path}.before.pdf`, base);
  writeFileSync(`${path}.after.pdf`, file);
  writeFileSync(`${path}.json`, JSON.stringify(story, null, 1));
  say(`FIND (${what}), seed ${own}, kept as ${path}.*: ${words}\n  again: npm run fuzz:looks -- 0.5 ${own}\n  ${JSON.stringify(story)}`);
}

/** A hunt that would not notice a verifier without a rule is none. */
async function selfTest(): Promise<string[]> {
  const open = new Set(Object.keys(blindnesses));
  const ask = async (name: string, from: number): Promise<void> => {
    const blindness = blindnesses[name];
    if (blindness === undefined) return;
    inHand[0] = from;
    const found = await findOut(blindness, from, world, oracle, isDue);
    if (found === null) return;
    open.delete(name);
    say(`found out by file ${found.files} of seed ${from} and ${found.seenBy.length} of ${engines.views.length} views: blind to ${name}`);
  };
  const pinned = async (): Promise<void> => {
    for (const [name, { pin }] of Object.entries(blindnesses)) await ask(name, pin);
  };
  const fresh = async (): Promise<void> => {
    for (let next = seed; open.size > 0 && !isDue(); next++) for (const name of open) await ask(name, next);
  };
  await endsBy(until + grace, isFresh ? fresh() : pinned());
  return [...open];
}

/** What every view did; those that were asked and never showed anything are as good as missing. */
function tellViews(looked: number): string[] {
  for (const name of engines.views.map(nameOf)) {
    const endless = oracle.endless.get(name) ?? 0;
    say(`${name}: ${oracle.drawn.get(name) ?? 0} files before and after${endless > 0 ? `, stopped ${endless} times` : ''}`);
  }
  return looked < 10 ? [] : engines.views.map(nameOf).filter((name) => !oracle.drawn.has(name));
}

async function hunted(): Promise<number> {
  const hunt = new Hunt(world, oracle);
  const { next, left } = await huntSeeds(hunt, seed, { lanes, until, grace, inHand }, keep);
  const { tally } = hunt;
  say(`\n${tally.table()}\n`);
  const silent = tellViews(tally.looked);
  say(
    `\n${tally.files} files of ${tally.documents} documents, ${tally.looked} passed and were looked at, ${tally.notMade} not gone on with by the signer; ${count} finds; next seed ${next}`,
  );
  if (left.length > 0) say(`Left in the middle, somebody hangs: seeds ${left.join(', ')}`);
  for (const name of silent) say(`SILENT: ${name} showed nothing at all`);
  if (silent.length > 0) return 1;
  // 3: the hunt was whole, and found something.
  return count > 0 || left.length > 0 ? 3 : 0;
}

async function selfTested(): Promise<number> {
  const open = await selfTest();
  for (const name of open) say(`NOT FOUND OUT: blind to ${name}`);
  if (open.length === 0) return 0;
  if (!isFresh)
    say(
      'When the grammar or an engine has changed, a pinned seed may find nothing any more. `npm run fuzz:looks -- 10 --self-test --fresh` ' +
        'says which seeds do: pin one with few files in packages/pades/src/testing/looks/self-test.ts. When none does, the hunt has become blind.',
    );
  return 1;
}

say(
  isSelfTest && !isFresh
    ? `pinned seeds; ${engines.views.map(nameOf).join(', ')}`
    : `seed ${seed}, ${minutes} minutes; ${engines.views.map(nameOf).join(', ')}`,
);
for (const name of engines.missing) say(`MISSING: ${name} is not installed, its view is not asked`);
const status = await (isSelfTest ? selfTested() : hunted());
await endsBy(performance.now() + 5000, engines.close());
const incomplete = engines.missing.length > 0 && process.env['CI'] !== undefined;
if (incomplete) say(`Not all engines were asked: ${engines.missing.join(', ')}`);
process.exit(incomplete ? 1 : status);
