import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallerTurns } from './caller-turns.ts';

test('who asks for much waits for himself: callers take turns, and each is served in the order of asking', () => {
  const turns = new CallerTurns<string>();
  for (const item of ['a1', 'a2', 'a3']) turns.add('ana', item);
  turns.add('bia', 'b1');
  turns.add('carlos', 'c1');
  assert.deepEqual([turns.size, turns.waitingOf('ana'), turns.waitingOf('nobody')], [5, 3, 0]);
  const served: (string | undefined)[] = [];
  for (let one = turns.next(); one !== undefined; one = turns.next()) served.push(one);
  assert.deepEqual(served, ['a1', 'b1', 'c1', 'a2', 'a3']);
  assert.equal(turns.size, 0);
});

test('one that waits no longer is never served, and frees its place', () => {
  const turns = new CallerTurns<string>();
  turns.add('ana', 'a1');
  turns.add('ana', 'a2');
  turns.remove('ana', 'a1');
  turns.remove('ana', 'a1');
  assert.deepEqual([turns.size, turns.waitingOf('ana')], [1, 1]);
  assert.equal(turns.next(), 'a2');
  assert.equal(turns.next(), undefined);
});
