import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookAgainAndAgain } from './runner.ts';

test('who asks for a look while one is under way, which may not have seen it, has the next one as soon', async () => {
  let looks = 0;
  const polling = lookAgainAndAgain(async () => {
    looks += 1;
    await sleep(50);
    return 10_000;
  });
  await sleep(10);
  polling.within(100);
  await sleep(400);
  await polling.stop();
  assert.equal(looks, 2);
});
