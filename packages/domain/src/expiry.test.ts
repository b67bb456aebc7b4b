import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryState } from './expiry.ts';

const now = new Date('2026-11-22T12:00:00Z');
const after = (days: number, seconds = 0) => expiryState(new Date(now.getTime() + days * 86_400_000 + seconds * 1000), now);

test('an end is warned of 60, 30 and 7 days before, and when it has come', () => {
  assert.deepEqual(
    [after(60, 1), after(60), after(31), after(30), after(8), after(7), after(0, 1), after(0), after(-3)].map(({ warning }) => warning),
    [null, 60, 60, 30, 30, 7, 7, 0, 0],
  );
  assert.deepEqual(after(60, 1), { daysLeft: 60, state: 'good', warning: null });
  assert.deepEqual(after(30), { daysLeft: 30, state: 'soon', warning: 30 });
  assert.deepEqual(after(0), { daysLeft: -1, state: 'ended', warning: 0 });
});
