import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackWorld } from '../testing/attacks/world.ts';
import { Hunt } from '../testing/looks/hunt.ts';
import { Oracle } from '../testing/looks/oracle.ts';
import { makeStory } from '../testing/looks/story.ts';
import { lookVectors } from '../../vectors/looks.ts';

const world = await attackWorld();
const oracle = new Oracle([], world.options);

for (const [name, { expected, ...story }] of Object.entries(lookVectors)) {
  test(`what the hunt found once stays mended: ${name}`, async () => {
    const { verdict } = await oracle.judge(await makeStory(story, world));
    if (expected === 'TOTAL-PASSED') assert.equal(verdict, expected);
    else assert.notEqual(verdict, 'TOTAL-PASSED');
  });
}

test('no honest story of the grammar is called forged, and none breaks the verifier (fixed seeds; fuzz:looks asks what is seen)', async () => {
  const hunt = new Hunt(world, oracle);
  for (let seed = 1; seed <= 8; seed++) {
    for await (const { what, words } of hunt.go(seed, () => false)) assert.fail(`seed ${seed}, ${what}: ${words}`);
  }
  assert.ok(hunt.tally.files > 40);
});
