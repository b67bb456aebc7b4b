import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ctx } from '../context.ts';
import { deriveSecrets } from '../secrets.ts';
import { ACCESS_MINUTES, readToken, signToken } from './token.ts';

const claims = { sub: 'ana', sid: 'session' };

/** All that a token asks of its context. */
function program(secret = 's'.repeat(40)): { ctx: Ctx; pass(minutes: number): void } {
  let now = Date.now();
  const ctx = { secrets: deriveSecrets(secret), clock: { now: () => new Date(now) } } as unknown as Ctx;
  return { ctx, pass: (minutes) => void (now += minutes * 60_000) };
}

describe('an access token that was read before', () => {
  it('says the same, and is over when its time is', async () => {
    const { ctx, pass } = program();
    const token = await signToken(ctx, claims);
    for (const _ of [1, 2]) assert.deepEqual(await readToken(ctx, token), { ...claims, expired: false });
    pass(ACCESS_MINUTES - 1);
    assert.equal((await readToken(ctx, token))?.expired, false);
    pass(1);
    for (const _ of [1, 2]) assert.deepEqual(await readToken(ctx, token), { ...claims, expired: true });
  });

  it('is of one installation: under another secret it is nobody’s', async () => {
    const { ctx } = program();
    const token = await signToken(ctx, claims);
    await readToken(ctx, token);
    assert.equal(await readToken(program('t'.repeat(40)).ctx, token), null);
  });

  it('stands for no other: each changed letter is refused', async () => {
    const { ctx } = program();
    const token = await signToken(ctx, claims);
    await readToken(ctx, token);
    for (let at = 0; at < token.length; at += 1) {
      if (token[at] === '.') continue;
      const other = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      assert.equal(await readToken(ctx, other), null, `${at}`);
    }
  });
});
