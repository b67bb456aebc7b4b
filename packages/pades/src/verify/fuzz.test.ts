import { test } from 'node:test';
import fc from 'fast-check';
import { makeBases } from '../testing/attacks/bases.ts';
import { fuzzBases, survives, survivesTraps } from '../testing/attacks/fuzzing.ts';
import { attackWorld } from '../testing/attacks/world.ts';

const world = await attackWorld();
const bases = fuzzBases(await makeBases(world));
const runs = 350;

test('a document written by the attacker never passes while it shows something else than what was signed', async () => {
  await fc.assert(survivesTraps(world), { seed: 20261121, numRuns: 800, interruptAfterTimeLimit: 60_000 });
});

for (const [name, base] of Object.entries(bases)) {
  test(`a mutated file (${name}) never crashes or hangs the verifier, and never passes with other signed bytes`, async () => {
    await fc.assert(survives(base, world), { seed: 20261121, numRuns: runs, interruptAfterTimeLimit: 60_000 });
  });
}
