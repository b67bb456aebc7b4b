import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '@lavra/domain';
import fc from 'fast-check';
import { goesInParts, uploadInParts } from './upload-in-parts.ts';

class LineFault extends Error {}

type Mishap = 'none' | 'lostOnTheWay' | 'answerLost';

/** A server that keeps pieces, behind a line on which what is said may happen to each request in turn. */
function flaky(size: number, mishaps: readonly Mishap[]) {
  const queue = [...mishaps];
  const told = { there: 0, sent: 0, finished: 0, rests: 0 };
  const over = <T>(act: () => T): Promise<T> => {
    const mishap = queue.shift() ?? 'none';
    if (mishap === 'lostOnTheWay') return Promise.reject(new LineFault());
    const answer = act();
    return mishap === 'answerLost' ? Promise.reject(new LineFault()) : Promise.resolve(answer);
  };
  const carrier = {
    received: () => over(() => told.there),
    send: (from: number, end: number) =>
      over(() => {
        told.sent += end - from;
        if (from === told.there) told.there = end;
        return told.there;
      }),
    finish: (from: number) =>
      over(() => {
        told.sent += size - from;
        told.finished += 1;
        if (told.finished > 1) return 'a document';
        assert.equal(from, told.there);
        // They are a document now.
        told.there = 0;
        return 'a document';
      }),
    passes: (error: unknown) => error instanceof LineFault,
    rest: async () => void (told.rests += 1),
  };
  return { carrier, told };
}

describe('a file that goes up in pieces', () => {
  it('arrives over a line that breaks, and no piece that has arrived is sent again', async () => {
    const mishap = fc.constantFrom<Mishap>('none', 'none', 'lostOnTheWay', 'answerLost');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 * limits.uploadPartBytes }),
        fc.array(mishap, { maxLength: 7 }),
        async (size, mishaps) => {
          const { carrier, told } = flaky(size, mishaps);
          assert.equal(await uploadInParts(size, carrier), 'a document');
          const repeatedEnds = told.finished - 1;
          assert.ok(told.sent <= size + repeatedEnds * limits.uploadPartBytes, `${told.sent} bytes were sent of ${size}`);
        },
      ),
    );
  });

  it('goes on from what another visit has brought', async () => {
    const size = 5 * limits.uploadPartBytes;
    const { carrier, told } = flaky(size, []);
    told.there = 3 * limits.uploadPartBytes;
    await uploadInParts(size, carrier);
    assert.equal(told.sent, 2 * limits.uploadPartBytes);
  });

  it('is given up when the line does not come back, and at once when the server refuses it', async () => {
    const { carrier, told } = flaky(
      10 * limits.uploadPartBytes,
      Array.from({ length: 40 }, () => 'lostOnTheWay' as const),
    );
    await assert.rejects(uploadInParts(10 * limits.uploadPartBytes, carrier), LineFault);
    assert.equal(told.rests, 8);
    const refused = { ...carrier, received: () => Promise.reject(new TypeError('refused')) };
    await assert.rejects(uploadInParts(10 * limits.uploadPartBytes, refused), TypeError);
    assert.equal(told.rests, 8);
  });

  it('is a large one: a small one costs one request, as ever', () => {
    assert.deepEqual([goesInParts(100_000), goesInParts(20_000_000)], [false, true]);
  });
});
