import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { droppedOn, joined, movedBy, signingOrders, without } from './signing-order.ts';

type One = { id: string; withPrevious?: boolean };
const list = (text: string): One[] => [...text.replaceAll('+', '')].map((id) => ({ id, withPrevious: text.includes(`+${id}`) }));
const told = (signers: readonly One[]) => signers.map(({ id, withPrevious }) => `${withPrevious ? '+' : ''}${id}`).join('');

describe('the order of signing', () => {
  it('is the same for those who are called at the same time', () => {
    assert.deepEqual(signingOrders(list('ab+cd')), [0, 1, 1, 2]);
    assert.deepEqual(signingOrders(list('+ab')), [0, 1]);
  });

  it('moves somebody alone past a group, and somebody of a group out of it on that side', () => {
    assert.equal(told(movedBy(list('ab+c'), 'a', 1)), 'b+ca');
    assert.equal(told(movedBy(list('ab+c'), 'c', -1)), 'acb');
    assert.equal(told(movedBy(list('ab+c'), 'b', 1)), 'acb');
    assert.equal(told(movedBy(list('ab'), 'a', -1)), 'ab');
  });

  it('joins and parts by a choice, and by dropping on, before or after another person', () => {
    assert.equal(told(joined(list('abc'), 'b', true)), 'a+bc');
    assert.equal(told(joined(list('a+b+c'), 'b', false)), 'ab+c');
    assert.equal(told(droppedOn(list('abc'), 'c', 'a', 'with')), 'a+cb');
    assert.equal(told(droppedOn(list('a+bc'), 'c', 'b', 'before')), 'ca+b');
    assert.equal(told(droppedOn(list('a+bc'), 'a', 'c', 'after')), 'bca');
    assert.equal(told(without(list('ab+c'), 'b')), 'ac');
  });

  it('loses nobody, whatever is dragged where, and counts without a gap', () => {
    const people = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    const acts = fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.constantFrom('before', 'with', 'after', 'up', 'down', 'join', 'part')), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(people, acts, (flags, history) => {
        let signers: One[] = flags.map((withPrevious, index) => ({ id: String(index), withPrevious }));
        for (const [from, to, what] of history) {
          const [id, target] = [String(from % flags.length), String(to % flags.length)];
          if (what === 'up' || what === 'down') signers = movedBy(signers, id, what === 'up' ? -1 : 1);
          else if (what === 'join' || what === 'part') signers = joined(signers, id, what === 'join');
          else signers = droppedOn(signers, id, target, what);
          assert.deepEqual(new Set(signers.map((one) => one.id)).size, flags.length);
          const orders = signingOrders(signers);
          assert.equal(orders[0], 0);
          orders.forEach((order, index) => assert.ok(index === 0 || order - (orders[index - 1] ?? 0) <= 1));
        }
      }),
    );
  });
});
