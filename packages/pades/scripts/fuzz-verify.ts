import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { makeBases } from '../src/testing/attacks/bases.ts';
import { fuzzBases, survives, survivesTraps } from '../src/testing/attacks/fuzzing.ts';
import { attackWorld } from '../src/testing/attacks/world.ts';

/**
 * Mutates signed files until it is stopped, or for the minutes given: `node packages/pades/scripts/fuzz-verify.ts [minutes] [seed]`.
 * A find is printed with its seed, and the base it began with is kept, since keys and signatures are new on every start.
 */
const [minutes = 'Infinity', first] = process.argv.slice(2);
const until = performance.now() + Number(minutes) * 60_000;
const world = await attackWorld();
const bases = Object.entries(fuzzBases(await makeBases(world)));
let seed = first === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(first);
let runs = 0;
let finds = 0;
for (let turn = 0; performance.now() < until; turn++, seed++) {
  const [name, base] = bases[turn % (bases.length + 1)] ?? ['trap', null];
  const settings = { seed, numRuns: 500 };
  const result = await (base === null ? fc.check(survivesTraps(world), settings) : fc.check(survives(base, world), settings));
  runs += result.numRuns;
  if (result.failed) {
    finds++;
    const path = join(mkdtempSync(join(tmpdir(), 'fuzz-verify-')), `${name}.pdf`);
    if (base !== null) writeFileSync(path, base);
    process.stdout.write(
      `seed ${seed}, base ${name} (kept as ${path}), path ${result.counterexamplePath}\n${String(result.errorInstance)}\n`,
    );
  } else if (base === null) process.stdout.write(`${runs} files, seed ${seed}, ${finds} finds\n`);
}
process.exit(finds > 0 ? 1 : 0);
