import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '@lavra/domain';
import { fetchPages, forgetFailed, inTime, pagesInTime } from './lazy-pages.ts';

const Component = () => null;

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
    let asked = 0;
    const never = () => {
      asked += 1;
      return new Promise<object>(() => undefined);
    };
    const pages = pagesInTime([
      {
        path: '/',
        children: [
          { path: 'login', lazy: never },
          { path: 'other', lazy: never },
        ],
      },
    ]);
    assert.deepEqual(
      pages.map(({ path, children }) => [path, children?.map((one) => one.path)]),
      [['/', ['login', 'other']]],
    );
    const given = fetchPages(pages, '/login');
    t.mock.timers.tick(limits.chunkLoadTimeoutMs);
    await given;
    assert.equal(asked, 1);
    await fetchPages(pages, '/login');
    assert.equal(asked, 1, 'what failed stays so as long as its page is shown');
    forgetFailed();
    void fetchPages(pages, '/login');
    assert.equal(asked, 2);
    t.mock.timers.tick(limits.chunkLoadTimeoutMs);
  });

  it('whose script comes without it has not come, and is asked for again when it is wanted again', async () => {
    let asked = 0;
    const pages = pagesInTime([{ path: 'login', lazy: async () => ((asked += 1), asked === 1 ? {} : { Component }) }]);
    for (const times of [1, 2, 2]) {
      await fetchPages(pages, '/login');
      forgetFailed();
      assert.equal(asked, times);
    }
  });

  it('asks for what it will want as soon as its script has come, with what its address says', async () => {
    const asked: unknown[] = [];
    const pages = pagesInTime([
      { path: 'signer/:id', lazy: () => Promise.resolve({ Component, askAhead: (params: unknown) => asked.push(params) }) },
      { path: 'login', lazy: () => Promise.resolve({ Component }) },
    ]);
    await fetchPages(pages, '/login');
    assert.deepEqual(asked, []);
    await fetchPages(pages, '/signer/7f');
    assert.deepEqual(asked, [{ id: '7f' }]);
  });
});
