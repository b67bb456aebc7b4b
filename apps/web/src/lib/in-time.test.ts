import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '@lavra/domain';
import { inTime, routesInTime } from './in-time.ts';

describe('a part of a page', () => {
  it('is given up when it has not come in 120 s, and not before', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let said = 'waits';
    const waiting = inTime(new Promise(() => undefined)).catch((error: unknown) => (said = error instanceof Error ? error.message : ''));
    t.mock.timers.tick(limits.chunkLoadTimeoutMs - 1);
    await Promise.resolve();
    assert.equal(said, 'waits');
    t.mock.timers.tick(1);
    await waiting;
    assert.equal(said, 'a part of the page did not come in time');
  });

  it('that comes is what it is, and one that fails fails as it did', async () => {
    assert.equal(await inTime(Promise.resolve(7)), 7);
    await assert.rejects(inTime(Promise.reject(new Error('no network'))), /no network/);
  });

  it('is bounded wherever it stands among the addresses, which stay as they were', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const never = () => new Promise<object>(() => undefined);
    const [outer] = routesInTime([{ path: '/', children: [{ path: 'login', lazy: never }] }]);
    assert.equal(outer?.path, '/');
    const inner = outer.children?.[0];
    assert.equal(inner?.path, 'login');
    const { lazy } = inner;
    assert.ok(typeof lazy === 'function');
    const refused = assert.rejects(async () => lazy());
    t.mock.timers.tick(limits.chunkLoadTimeoutMs);
    await refused;
  });
});
