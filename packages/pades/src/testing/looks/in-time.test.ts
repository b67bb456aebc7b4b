import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { attackWorld } from '../attacks/world.ts';
import { ghostscript } from './ghostscript.ts';
import { Hunt } from './hunt.ts';
import { huntSeeds } from './lanes.ts';
import { Oracle } from './oracle.ts';
import type { Drawer } from './picture.ts';
import { mupdf, poppler } from './programs.ts';

test('a hunt ends in its time though an engine never answers, and says what it left', async () => {
  const world = await attackWorld();
  const deaf: Drawer = { name: 'deaf', draw: () => new Promise(() => undefined), close: () => Promise.resolve() };
  const oracle = new Oracle([{ drawer: deaf, medium: 'screen' }], world.options);
  const hunt = new Hunt(world, oracle, { judge: ({ signatures }) => signatures });
  const span = { lanes: 2, until: performance.now() + 1000, grace: 500, inHand: new Int32Array(2) };
  const { left } = await huntSeeds(hunt, 1, span, () => undefined);
  assert.deepEqual(left, [1, 2]);
});

describe('a program that never ends', () => {
  const path = process.env['PATH'];
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lavra-endless-'));
    for (const name of ['gs', 'mutool', 'pdftoppm', 'pdftocairo'])
      writeFileSync(join(folder, name), '#!/bin/sh\ntrap "" TERM\nexec sleep 1000\n', { mode: 0o755 });
    process.env['PATH'] = `${folder}${delimiter}${path}`;
  });
  after(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [name, engine] of Object.entries({ ghostscript, mupdf, poppler })) {
    test(`is stopped, whatever it thinks of that: ${name}`, async () => {
      const drawer = engine(folder, 300);
      assert.equal(await drawer.draw(new Uint8Array(), 'screen'), 'endless');
      assert.equal(await drawer.draw(new Uint8Array(), 'screen'), 'endless');
      await drawer.close();
    });
  }
});

test('a verifier that never comes back ends with the program, and the seed in hand is told', () => {
  const program = `
    import { watchdog } from '${new URL('./watchdog.ts', import.meta.url).href}';
    await watchdog(300, new Int32Array(new SharedArrayBuffer(8)).fill(4711, 0, 1));
    for (;;);
  `;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 30_000 });
  assert.equal(signal, 'SIGKILL');
  assert.match(stderr, /seeds 4711 in hand/);
});
