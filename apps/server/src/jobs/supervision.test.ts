import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { superviseJobs } from './supervision.ts';

describe('supervision of the queue', () => {
  it('asks no more than whether a job is at work while none is, and looks after dead programs as soon as one is', async () => {
    let isAny = false;
    let asked = 0;
    let supervised = 0;
    const boss = {
      getDb: () => ({ executeSql: async () => ((asked += 1), { rows: [{ isAny }] }) }),
      supervise: async () => void (supervised += 1),
    } as unknown as PgBoss;
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await sleep(5);
    };
    const supervision = superviseJobs(boss, assert.fail, 10);
    await until(() => asked >= 3);
    assert.equal(supervised, 0);
    isAny = true;
    await until(() => supervised >= 2);
    await supervision.stop();
    const before = asked;
    await sleep(50);
    assert.equal(asked, before);
  });
});
