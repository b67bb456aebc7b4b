import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PinTries } from './pin-tries.ts';

const minute = 60_000;

function wrong(tries: PinTries, times: number, now: number): void {
  for (let time = 0; time < times; time++) {
    tries.begin('token', now);
    tries.end('token', 'wrong');
  }
}

test('after every third wrong PIN a token rests, each time for longer, and other tokens do not', () => {
  const tries = new PinTries();
  wrong(tries, 2, 0);
  assert.equal(tries.isResting('token', 0), false);
  wrong(tries, 1, 0);
  assert.equal(tries.isResting('token', minute - 1), true);
  assert.equal(tries.isResting('other', 0), false);
  assert.equal(tries.isResting('token', minute), false);
  wrong(tries, 3, minute);
  assert.equal(tries.isResting('token', 3 * minute - 1), true);
  assert.equal(tries.isResting('token', 3 * minute), false);
});

test('tries that are under way count, so that many windows at once gain nothing', () => {
  const tries = new PinTries();
  for (let window = 0; window < 3; window++) tries.begin('token', 0);
  assert.equal(tries.isResting('token', 0), true);
});

test('the right PIN clears; what was no answer about the PIN does not count', () => {
  const tries = new PinTries();
  wrong(tries, 2, 0);
  tries.begin('token', 0);
  tries.end('token', 'unknown');
  assert.equal(tries.isResting('token', 0), false);
  tries.begin('token', 0);
  tries.end('token', 'right');
  wrong(tries, 2, 0);
  assert.equal(tries.isResting('token', 0), false);
});
