import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { attackWorld } from '../attacks/world.ts';
import { Oracle } from './oracle.ts';
import { pdfium } from './pdfium.ts';
import { blindnesses, findOut } from './self-test.ts';

const world = await attackWorld();
const drawer = pdfium(30_000);
after(() => drawer.close());
const oracle = new Oracle(
  [
    { drawer, medium: 'screen' },
    { drawer, medium: 'print' },
  ],
  world.options,
);

for (const [name, blindness] of Object.entries(blindnesses)) {
  test(`by its pinned seed a verifier is found out that is blind to ${name}`, async () => {
    const found = await findOut(blindness, blindness.pin, world, oracle);
    assert.notEqual(found, null, 'the grammar has changed: npm run fuzz:looks -- 10 --self-test --fresh says which seed to pin');
  });
}
