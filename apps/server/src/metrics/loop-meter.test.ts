import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoopMeter } from './loop-meter.ts';

function keepBusy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

test('an event loop that is kept busy is found late by as much, at work and after a rest', async () => {
  const meter = startLoopMeter();
  try {
    await sleep(200);
    meter.reset();
    keepBusy(300);
    await sleep(60);
    assert.ok(meter.max() > 200, `at work: ${meter.max()}`);
    // Twenty quiet looks: it rests.
    await sleep(2500);
    meter.reset();
    // Longer than until the next look of one that rests.
    keepBusy(1300);
    await sleep(60);
    assert.ok(meter.max() > 200, `after a rest: ${meter.max()}`);
    meter.reset();
    // It is awake again.
    await sleep(200);
    meter.reset();
    keepBusy(300);
    await sleep(60);
    assert.ok(meter.max() > 200, `awake again: ${meter.max()}`);
  } finally {
    meter.close();
  }
});
