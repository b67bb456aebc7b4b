import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { superviseJobs } from './supervision.ts';

describe('supervision of the queue', () => {
  it('looks after dead programs while a job is at work, no oftener than it may, and not while none is', async () => {
    let supervised = 0;
    const supervision = superviseJobs({ supervise: async () => void (supervised += 1) }, assert.fail, 600);
    const look = async (isAnyActive: boolean, ms: number) => {
      for (const until = performance.now() + ms; performance.now() < until; await sleep(5)) supervision.seen(isAnyActive);
      await supervision.stop();
      return supervised;
    };
    assert.equal(await look(false, 300), 0);
    const often = await look(true, 350);
    assert.ok(often >= 2 && often <= 4, `${often}`);
    assert.equal(await look(false, 200), often);
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
