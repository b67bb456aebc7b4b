import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBases } from '../testing/attacks/bases.ts';
import { hostile } from '../testing/attacks/hostile.ts';
import { outcomeOf } from '../testing/attacks/outcome.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { workOf } from '../testing/work.ts';

const world = await attackWorld();
const bases = await makeBases(world);
/** Milliseconds of work; without bounds these take minutes. */
const patience = 15_000;

for (const [name, make] of Object.entries(hostile)) {
  test(`${name}: judged or given up, in bounded time`, async () => {
    const bytes = make(bases);
    assert.ok((await workOf(() => outcomeOf(bytes, undefined, world.options))) < patience);
  });
}
