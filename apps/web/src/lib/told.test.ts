import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { waitAt } from './told.ts';

/** A page, and the connections that it opens. */
const listeners = new Set<() => void>();
let visibilityState = 'visible';
const opened: { say(text: string): void; end(): void; signal: AbortSignal }[] = [];
let refusal: Response | null = null;
let left: (() => void)[] = [];

let before: Record<string, PropertyDescriptor | undefined> = {};
const known = (name: string) => Object.getOwnPropertyDescriptor(globalThis, name);

// Its pages and clocks are its own: the tests of other files run in the same program.
describe('a page that waits', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(Math, 'random', () => 0.5);
    opened.length = 0;
    refusal = null;
    visibilityState = 'visible';
    const empty = { getItem: () => null };
    before = { localStorage: known('localStorage'), sessionStorage: known('sessionStorage'), document: known('document') };
    Object.assign(globalThis, { localStorage: empty, sessionStorage: empty });
    Object.assign(globalThis, {
      document: {
        get visibilityState() {
          return visibilityState;
        },
        documentElement: { lang: 'pt-BR' },
        addEventListener: (_: string, act: () => void) => listeners.add(act),
        removeEventListener: (_: string, act: () => void) => listeners.delete(act),
      },
    });
    mock.method(globalThis, 'fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
      const stream = new TransformStream<Uint8Array, Uint8Array>();
      const writer = stream.writable.getWriter();
      signal.addEventListener('abort', () => void writer.abort().catch(() => {}));
      const say = (text: string) => void writer.write(new TextEncoder().encode(text)).catch(() => {});
      opened.push({ say, end: () => void writer.close().catch(() => {}), signal });
      return refusal ?? new Response(stream.readable, { headers: { 'Content-Type': 'text/event-stream' } });
    });
  });
  afterEach(async () => {
    for (const leave of left) leave();
    left = [];
    await pass(1000);
    mock.timers.reset();
    mock.restoreAll();
    for (const [name, value] of Object.entries(before))
      if (value) Object.defineProperty(globalThis, name, value);
      else Reflect.deleteProperty(globalThis, name);
  });

  const settled = () => new Promise((resolve) => setImmediate(resolve));
  async function pass(ms: number): Promise<void> {
    for (let n = 0; n < 5; n += 1) await settled();
    mock.timers.tick(ms);
    for (let n = 0; n < 5; n += 1) await settled();
  }

  function wait(address = '/changes') {
    const seen = { asked: 0, told: [] as boolean[] };
    left.push(waitAt(address, { changed: () => (seen.asked += 1), told: (told) => seen.told.push(told) }));
    return seen;
  }

  const look = async (state: string) => {
    visibilityState = state;
    for (const act of listeners) act();
    await pass(0);
  };

  it('asks when it is told, in whatever pieces, and not for a sign of life', async () => {
    const seen = wait();
    await pass(0);
    assert.deepEqual(seen.told, [false], 'nothing was heard yet');
    opened[0]?.say('data: changed\n\n');
    await pass(50);
    assert.deepEqual([seen.asked, seen.told.at(-1)], [1, true]);
    opened[0]?.say(':\n\n');
    await pass(50);
    assert.equal(seen.asked, 1);
    opened[0]?.say('dat');
    opened[0]?.say('a: changed\n\n');
    await pass(200);
    assert.ok(seen.asked >= 2);
  });

  it('one connection serves all parts of a page that wait, and ends when the last of them does', async () => {
    const [one, other] = [wait(), wait()];
    await pass(0);
    opened[0]?.say('data: changed\n\n');
    await pass(50);
    assert.deepEqual([one.asked, other.asked, opened.length], [1, 1, 1]);
    const late = wait();
    assert.equal(late.asked, 1, 'what it knows may be from before');
    left.forEach((leave) => leave());
    left = [];
    assert.equal(opened[0]?.signal.aborted, false);
    await pass(1000);
    assert.equal(opened[0]?.signal.aborted, true);
  });

  it('a connection that ends, or is silent, is told at once, and opened again', async () => {
    const seen = wait();
    await pass(0);
    opened[0]?.say('data: changed\n\n');
    await pass(50);
    opened[0]?.end();
    await pass(0);
    assert.equal(seen.told.at(-1), false);
    await pass(1000);
    assert.equal(opened.length, 2);
    opened[1]?.say('data: changed\n\n');
    await pass(50);
    assert.equal(seen.told.at(-1), true);
    await pass(45_000);
    assert.equal(seen.told.at(-1), false, 'a dead line looks like a quiet one');
  });

  it('where it does not come about it is tried ever more rarely', async () => {
    refusal = new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
    const seen = wait();
    for (const [pause, tries] of [
      [0, 1],
      [1000, 2],
      [1000, 2],
      [1000, 3],
      [3000, 3],
      [1000, 4],
    ] as const) {
      await pass(pause);
      assert.equal(opened.length, tries, `${pause}`);
    }
    assert.ok(!seen.told.includes(true));
  });

  it('one that is cut off each time after its first word is opened ever more rarely too, and one that held is opened again soon', async () => {
    wait();
    let passed = 0;
    for (const tries of [1, 2, 3, 4, 5]) {
      while (opened.length < tries) {
        passed += 1000;
        assert.ok(passed < 60_000, `${opened.length}`);
        await pass(1000);
      }
      opened.at(-1)?.say('data: changed\n\n');
      await pass(0);
      opened.at(-1)?.end();
      await pass(0);
    }
    assert.ok(passed >= 1000 + 2000 + 4000 + 8000, `${passed}`);
    await pass(16_000);
    assert.equal(opened.length, 6);
    opened[5]?.say('data: changed\n\n');
    for (let waited = 0; waited < 30_000; waited += 1000) await pass(1000);
    opened[5]?.end();
    await pass(0);
    await pass(1000);
    assert.equal(opened.length, 7);
  });

  it('a page out of sight holds no connection', async () => {
    const seen = wait();
    await pass(0);
    opened[0]?.say('data: changed\n\n');
    await pass(50);
    await look('hidden');
    assert.deepEqual([opened[0]?.signal.aborted, seen.told.at(-1)], [true, false]);
    await pass(10_000);
    assert.equal(opened.length, 1);
    await look('visible');
    assert.equal(opened.length, 2);
  });

  it('the first change is asked for at once, many in a row ever more rarely, and the last of them always', async () => {
    const seen = wait();
    await pass(0);
    for (let n = 0; n < 100; n += 1) {
      opened[0]?.say('data: changed\n\n');
      await settled();
    }
    await pass(50);
    assert.ok(seen.asked <= 3, `${seen.asked}`);
    await pass(5000);
    assert.ok(seen.asked >= 1 && seen.asked <= 4, `${seen.asked}`);
  });
});
