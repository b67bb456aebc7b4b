import assert from 'node:assert/strict';
import { it } from 'node:test';
import { frozenClock } from '../../testing/clock.ts';
import type { Ctx } from '../../context.ts';
import { heldList } from './held-lists.ts';

it('a list that was fetched while the clock was ahead is not given when the clock is right', async () => {
  const clock = frozenClock();
  const ctx = { clock, config: {} } as unknown as Ctx;
  let fetched = 0;
  const ask = () =>
    heldList(ctx, 'list', async () => {
      fetched += 1;
      const answer = { body: Buffer.of(fetched), packed: {} } as never;
      return { answer, until: clock.now().getTime() + 600_000 };
    });
  await ask();
  await ask();
  assert.equal(fetched, 1);
  clock.advance({ hours: -1 });
  await ask();
  assert.equal(fetched, 2);
});
