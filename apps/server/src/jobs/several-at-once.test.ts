import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { severalAtOnce } from './several-at-once.ts';

describe('several at once', () => {
  it('are answered in their order, the first alone and then three at most under way; after a fault none is begun, and it is thrown when all have ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ waits: fc.nat(4), fails: fc.boolean() }), { maxLength: 9 }), async (items) => {
        let [underWay, most, begun] = [0, 0, 0];
        let isFailed = false;
        const act = async ({ waits, fails }: (typeof items)[number]) => {
          assert.equal(isFailed, false, 'begun after a fault');
          assert.ok(begun !== 1 || underWay === 0, 'the first is alone');
          const own = begun;
          begun += 1;
          underWay += 1;
          most = Math.max(most, underWay);
          for (let turn = 0; turn < waits; turn += 1) await Promise.resolve();
          underWay -= 1;
          isFailed ||= fails;
          if (fails) throw new Error(String(own));
          return own;
        };
        const ended = await severalAtOnce(items, act).then(
          (made) => ({ made }),
          (error: Error) => ({ first: Number(error.message) }),
        );
        assert.equal(underWay, 0);
        assert.ok(most <= 3);
        if ('made' in ended)
          assert.deepEqual(
            ended.made,
            items.map((_, index) => index),
          );
        else
          assert.equal(
            items.slice(0, begun).findIndex(({ fails }) => fails),
            ended.first,
          );
      }),
    );
  });
});
