/**
 * All measures, or those named: `npm run bench -- jobs list`. Each is a program of its own, so that none starts warm.
 * `npm run bench -- compare COMMIT` measures the jobs of this tree and of a commit in turns. `npm run bench -- short` runs each for seconds only: its figures say nothing but that it still works. Exit code 3: nothing failed, and
 * a hunt with a fresh seed met something.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** What each is given in the short mode. */
const measures: Record<string, readonly string[]> = {
  signing: ['1', 'short'],
  verifying: ['short'],
  accepted: ['short'],
  compare: ['HEAD', '1', '1'],
  jobs: ['2', '2'],
  cloud: ['2', '2'],
  profile: ['1'],
  identifier: ['3'],
  growth: ['1', '2', '3'],
  sizes: ['3'],
  starting: ['1', '1'],
  moving: ['2000'],
  list: ['1', '200,600', 'debian'],
  'stand-still': ['short'],
  visitors: ['50', '2'],
  people: ['0.1', '3', '0.1'],
  web: ['short'],
};
const given = process.argv.slice(2);
const isShort = given.includes('short');
const ofCompare = given[0] === 'compare' && !isShort ? given.slice(1) : [];
const asked = ofCompare.length > 0 ? ['compare'] : given.filter((name) => name !== 'short');
const unknown = asked.filter((name) => !(name in measures));
if (unknown.length > 0) {
  console.error(`Uso: npm run bench -- [short] [${Object.keys(measures).join('] [')}]`);
  process.exit(1);
}
const failed: string[] = [];
const found: string[] = [];
// Which commit to compare with somebody has to say.
const all = Object.keys(measures).filter((name) => isShort || name !== 'compare');
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n${name}`);
  const args = isShort ? (measures[name] ?? []) : name === 'compare' ? ofCompare : [];
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  console.log(`${name}: ${Math.round((performance.now() - begun) / 1000)} s`);
  if (status === 3) found.push(name);
  else if (status !== 0) failed.push(name);
}
if (failed.length > 0) console.error(`\nnot to its end: ${failed.join(', ')}`);
if (found.length > 0) console.log(`\nFIND: ${found.join(', ')}`);
process.exit(failed.length > 0 ? 1 : found.length > 0 ? 3 : 0);
