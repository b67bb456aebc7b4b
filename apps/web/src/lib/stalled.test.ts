import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import { readWhole, watchStall } from './stalled.ts';

describe('request timeout 60 s, counted from the last byte', () => {
  beforeEach((context) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    if ('after' in context) context.after(() => mock.timers.reset());
  });

  it('ends what stands still for a minute', () => {
    const stalled = mock.fn();
    watchStall(stalled);
    mock.timers.tick(59_999);
    assert.equal(stalled.mock.callCount(), 0);
    mock.timers.tick(1);
    assert.equal(stalled.mock.callCount(), 1);
  });

  it('lets an honest slow upload take an hour, a piece a minute', () => {
    const stalled = mock.fn();
    const watch = watchStall(stalled);
    for (let piece = 0; piece < 60; piece += 1) {
      mock.timers.tick(59_000);
      watch.moved();
    }
    watch.end();
    mock.timers.tick(3_600_000);
    assert.equal(stalled.mock.callCount(), 0);
  });

  it('counts every piece of a download, and keeps bytes and type', async () => {
    const moved = mock.fn();
    const pieces = ['%PDF', '-1.7', '\n'].map((piece) => new TextEncoder().encode(piece));
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    });
    const whole = await readWhole(new Response(body, { headers: { 'Content-Type': 'application/pdf' } }), moved);
    assert.equal(await whole.text(), '%PDF-1.7\n');
    assert.equal(whole.type, 'application/pdf');
    assert.equal(moved.mock.callCount(), 3);
  });

  it('fails where the answer breaks off', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) });
    await assert.rejects(readWhole(new Response(body), () => {}));
  });
});
