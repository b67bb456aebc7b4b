import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { superviseJobs } from './supervision.ts';

describe('supervision of the queue', () => {
  it('looks after dead programs while a job is at work, no oftener than it may, and not while none is', async () => {
    const supervised: number[] = [];
    const supervision = superviseJobs({ supervise: async () => void supervised.push(performance.now()) }, assert.fail, 600);
    const lookIdly = async (ms: number) => {
      for (const until = performance.now() + ms; performance.now() < until; await sleep(5)) supervision.seen(false);
      await supervision.stop();
    };
    await lookIdly(300);
    assert.deepEqual(supervised, []);
    for (const until = performance.now() + 10_000; supervised.length < 4 && performance.now() < until; await sleep(5))
      supervision.seen(true);
    const often = supervised.length;
    assert.equal(often, 4);
    for (const [index, at] of supervised.entries()) assert.ok(at - (supervised[index - 1] ?? 0) >= 99, supervised.join(' '));
    await lookIdly(200);
    assert.equal(supervised.length, often);
  });

  it('goes on where one of them fails', async () => {
    let tries = 0;
    const faults: Error[] = [];
    const failing = async () => {
      tries += 1;
      throw new Error('away');
    };
    const supervision = superviseJobs({ supervise: failing }, (error) => void faults.push(error), 500);
    for (; tries < 2; await sleep(5)) supervision.seen(true);
    await supervision.stop();
    assert.equal(faults.length, 2);
  });
});
