import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { hostile } from '../testing/attacks/hostile.ts';
import { hostileDocuments } from '../testing/attacks/hostile-documents.ts';
import type { HostileCost } from '../testing/attacks/hostile-worker.ts';

/** Units of work (of a fifth of a second or so), and megabytes: without bounds these files take minutes, or all there is. */
const patience = 40;
const room = 512;

function costs(): Promise<HostileCost[]> {
  const told: HostileCost[] = [];
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../testing/attacks/hostile-worker.ts', import.meta.url));
    worker.on('message', (cost: HostileCost) => told.push(cost));
    worker.on('error', reject);
    worker.on('exit', () => resolve(told));
  });
}

const measured = await costs();

for (const name of [...Object.keys(hostile), ...Object.keys(hostileDocuments)]) {
  test(`${name}: judged or given up, in bounded time and room`, () => {
    const cost = measured.find((one) => one.name === name);
    assert.ok(cost !== undefined);
    assert.ok(cost.work < patience, `${cost.work.toFixed(1)} units`);
    assert.ok(cost.megabytes < room, `${Math.round(cost.megabytes)} MB`);
  });
}
