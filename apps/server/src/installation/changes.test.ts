import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import type pg from 'pg';
import { startTestApp } from '../testing/app.ts';
import { openChanges } from './changes.ts';

/** A session whose statements end as the test says. */
class Session extends EventEmitter {
  readonly asked: { text: string; settle: PromiseWithResolvers<void> }[] = [];
  query(text: string): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.asked.push({ text, settle });
    return settle.promise;
  }
}

describe('the session that listens', () => {
  it('is one, and listened over once, also where a listening over the one before fails after it', async () => {
    const [first, second] = [new Session(), new Session()];
    let session = first;
    const changes = openChanges({ session: () => session as unknown as pg.Client });
    const turn = () => new Promise((resolve) => setImmediate(resolve));

    const refused = assert.rejects(changes.follow('p', '192.0.2.1'));
    await turn();
    session = second;
    first.emit('end');
    const follows = changes.follow('p', '192.0.2.1');
    await turn();
    second.asked[0]?.settle.resolve();
    await follows;
    first.asked[0]?.settle.reject(new Error('the connection ended'));
    await refused;
    const late = await changes.follow('p', '192.0.2.1');
    assert.deepEqual(
      second.asked.map(({ text }) => text),
      ['listen lavra_changed'],
    );
    second.emit('notification', { channel: 'lavra_changed', payload: 'p' });
    assert.equal(String(late.read()), 'data: changed\n\n'.repeat(2), 'the first word, and one change');
    changes.end();
  });

  it('asks the network for signs of life: of an end that came while it was away nothing else would tell', async (t) => {
    const asked = t.mock.method(Socket.prototype, 'setKeepAlive');
    const app = await startTestApp();
    await app.close();
    assert.ok(asked.mock.calls.some(({ arguments: [isAsked, after] }) => isAsked === true && after === 30_000));
  });
});
