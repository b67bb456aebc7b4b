/**
 * Kills and faults under load, and then an audit: what the product acknowledged against what is there.
 *
 *     npm run chaos -- [one] [two] [versions] [minutes, default 4] [seed]
 *
 * A third of the time one node over the embedded database, a third two nodes over Debian's PostgreSQL, and a third two nodes for people and
 * two for jobs that are replaced by the next version (chaos/two-versions.ts); or those named. Clients upload, create,
 * sign, refuse and cancel, and note every answer; meanwhile nodes and postmasters are killed, PostgreSQL is restarted or
 * away, its connections are ended, the mail server and the timestamp authority are away, silent or talk nonsense, and the
 * disk is full. All of it on this machine's loopback, bounded in number and time. Ends with the table, and with 1 when
 * anything acknowledged is missing, twice or wrong, or when the product answered anything but 503 while it could not act.
 */
import { isAway } from './ledger.ts';
import { runEmbedded, runOutside } from './scenarios.ts';
import type { Outcome } from './scene.ts';
import { runTwoVersions } from './two-versions.ts';

// What was started ends with this program, also when it is told to end in the middle.
process.once('SIGTERM', () => process.exit(1));
process.once('SIGINT', () => process.exit(1));
const scenes = [
  ['one', 'one node, embedded database', runEmbedded],
  ['two', "two nodes, Debian's PostgreSQL", runOutside],
  ['versions', 'two nodes for people and two for jobs, from one version to the next', runTwoVersions],
] as const;
const given = process.argv.slice(2);
const asked = scenes.filter(([name]) => given.includes(name));
const [spoken = 4, sown, ...rest] = given.filter((word) => !scenes.some(([name]) => name === word));
const minutes = Number(spoken);
const seed = Number(sown ?? Math.floor(Math.random() * 1_000_000));
if (!(minutes > 0 && minutes <= 240) || !Number.isSafeInteger(seed) || rest.length > 0) {
  console.error('Uso: npm run chaos -- [one] [two] [versions] [minutos, até 240] [semente]');
  process.exit(1);
}
console.log(`chaos: ${minutes} minutes, seed ${seed}`);
const played = asked.length > 0 ? asked : scenes;
const each = (minutes * 60_000) / played.length;
let failed = 0;
for (const [, title, run] of played) {
  console.log(`\n== ${title}`);
  const outcome = await run(each, seed);
  if (typeof outcome === 'string') console.log(`not here: ${outcome}`);
  else failed += tell(outcome);
}
console.log(`\n${failed === 0 ? 'Nothing was lost.' : `${failed} lines are not as acknowledged (seed ${seed}).`}`);
process.exit(failed === 0 ? 0 : 1);

function tell({ findings, faults, recoveries, took, answers, directory }: Outcome): number {
  console.log(`faults: ${[...faults].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  const sorted = recoveries.toSorted((a, b) => a - b);
  const seconds = (index: number) => ((sorted[index] ?? 0) / 1000).toFixed(1);
  console.log(`UP again after: median ${seconds(Math.floor(sorted.length / 2))} s, at most ${seconds(sorted.length - 1)} s`);
  const [harm, stories, rest] = took;
  console.log(`seconds: ${harm} of faults, ${stories} until the last story was told, ${rest} until nothing was left to do`);
  console.log(
    `answers: ${answers.requests} asked, ${answers.failed.filter(isAway).length} times 503 with Retry-After, ${answers.failed.filter(({ status }) => status === 0).length} connections cut`,
  );
  console.log('\nacknowledged   there   what');
  for (const { what, acknowledged, there } of findings)
    console.log(`${String(acknowledged).padStart(12)} ${String(there).padStart(7)}   ${what}`);
  const wrong = findings.flatMap(({ what, losses }) => losses.map((loss) => `${what}: ${loss}`));
  for (const loss of wrong.slice(0, 40)) console.log(`  - ${loss}`);
  if (wrong.length > 0) console.log(`  logs and data are kept in ${directory}`);
  return findings.filter(({ losses }) => losses.length > 0).length;
}
