/**
 * All measures, or those named: `npm run bench -- jobs list`. Each is a program of its own, so that none starts warm.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const measures = ['signing', 'verifying', 'jobs', 'list'];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !measures.includes(name));
if (unknown.length > 0) {
  console.error(`Uso: npm run bench -- [${measures.join('] [')}]`);
  process.exit(1);
}
let failed = 0;
for (const name of asked.length > 0 ? asked : measures) {
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) failed += 1;
}
process.exit(failed > 0 ? 1 : 0);
