import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { CRON_SECONDS, onTheMinute, sendEachMinute } from './on-the-minute.ts';

describe('the look at the crons', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  /** After how many seconds it comes, begun so many seconds into a minute. */
  const comesAfter = (second: number, ms: number): number => {
    mock.timers.setTime(Date.UTC(2026, 0, 1, 12, 0, second));
    let isOver = false;
    onTheMinute.setTimeout(() => (isOver = true), ms);
    for (let passed = 1; ; passed += 1) {
      mock.timers.tick(1000);
      if (isOver) return passed;
    }
  };

  it('comes five seconds into the minute, and no sooner than the queue asked for', () => {
    assert.equal(comesAfter(5, CRON_SECONDS * 1000), 60);
    assert.equal(comesAfter(36, CRON_SECONDS * 1000), 29);
    assert.equal(comesAfter(50, CRON_SECONDS * 1000), 15);
    assert.equal(comesAfter(58, CRON_SECONDS * 1000), CRON_SECONDS);
    assert.equal(comesAfter(2, CRON_SECONDS * 1000), CRON_SECONDS);
  });

  it('leaves every other wait as it is', () => {
    assert.equal(comesAfter(20, 15_000), 15);
  });
});

describe('what is sent each minute', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('is sent at once, and five seconds into each minute from then on, until the program ends: also where one was not taken', async () => {
    mock.timers.setTime(Date.UTC(2026, 0, 1, 12, 0, 20));
    const sent: string[] = [];
    const faults: Error[] = [];
    const send = (name: string, _data: object, { singletonSeconds }: { singletonSeconds: number }) => {
      sent.push(`${name} ${new Date().toISOString().slice(14, 19)} ${singletonSeconds}`);
      return sent.length === 2 ? Promise.reject(new Error('the database is away')) : Promise.resolve(null);
    };
    const sending = sendEachMinute({ send } as unknown as Parameters<typeof sendEachMinute>[0], ['sweep'], (error) => faults.push(error));
    mock.timers.tick(44_000);
    assert.deepEqual(sent, ['sweep 00:20 60']);
    mock.timers.tick(1000);
    mock.timers.tick(60_000);
    mock.timers.tick(60_000);
    assert.deepEqual(sent, ['sweep 00:20 60', 'sweep 01:05 60', 'sweep 02:05 60', 'sweep 03:05 60']);
    await sending.stop();
    mock.timers.tick(120_000);
    assert.deepEqual([sent.length, faults.length], [4, 1]);
  });
});
