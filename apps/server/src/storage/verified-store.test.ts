import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { spoilBlobs } from '../testing/blobs.ts';
import { BlobFault, type BlobStore, putBytes, readBytes } from './blob-store.ts';
import { CHUNK } from './chunk-digests.ts';
import { openDiskPlace } from './disk-place.ts';
import { atOnceReader } from './file-reader.ts';
import { type StorageLedger, verifiedStore } from './verified-store.ts';

const isFault = (kind: 'missing' | 'damaged') => (error: unknown) => error instanceof BlobFault && error.kind === kind;

describe('a stored file', () => {
  let root: string;
  let store: BlobStore;
  let spoil: ReturnType<typeof spoilBlobs>;
  const told: string[] = [];
  const ledger: StorageLedger = {
    stored: () => Promise.resolve(),
    fault: ({ kind }) => void told.push(kind),
    healed: () => void told.push('healed'),
  };
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'lavra-verified-'));
    spoil = spoilBlobs(root);
    store = verifiedStore(openDiskPlace(root), ledger);
  });
  after(() => rm(root, { recursive: true }));

  /** A worker process that has read nothing yet. */
  const fresh = () => verifiedStore(openDiskPlace(root, atOnceReader), ledger);

  it('is never given with a wrong byte: whatever was done to it, a read answers the stored bytes or a fault', async () => {
    const sizes = fc.constantFrom(0, 1, 1000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 77);
    const harm = fc.constantFrom('flip', 'cut', 'lose', 'grow', 'none');
    await fc.assert(
      fc.asyncProperty(sizes, harm, fc.nat(), fc.nat(), fc.nat(), fc.boolean(), async (size, how, at, a, b, isFresh) => {
        const bytes = randomBytes(size);
        const { sha256 } = await putBytes(store, bytes);
        const reader = isFresh ? fresh() : store;
        // Some of it may be remembered by then.
        await store.readRange(sha256, { offset: 0, length: 100 });
        if (how === 'flip' && size > 0) await spoil.flip(sha256, at % size);
        if (how === 'cut' && size > 0) await spoil.cut(sha256);
        if (how === 'lose') await spoil.lose(sha256);
        if (how === 'grow') await spoil.giveBack(sha256, Buffer.concat([bytes, Buffer.from('x')]));
        const offset = size === 0 ? 0 : a % size;
        const length = Math.min(b % (2 * CHUNK), size - offset);
        const wanted = bytes.subarray(offset, offset + length);
        const orFault = (read: Promise<Buffer>) => read.catch((error: unknown) => (assert.ok(error instanceof BlobFault), null));
        const part = await orFault(reader.readRange(sha256, { offset, length }).then(Buffer.from));
        assert.ok(part === null || part.equals(wanted));
        const whole = await orFault(readBytes(reader, sha256));
        assert.ok(whole === null || whole.equals(bytes));
        const isHarmed = how !== 'none' && (size > 0 || how === 'lose' || how === 'grow');
        if (isHarmed) await assert.rejects(fresh().check(sha256), BlobFault);
        if (isHarmed) await assert.rejects(store.check(sha256), BlobFault);
        else assert.equal(await store.check(sha256), size);
      }),
      { numRuns: 60 },
    );
  });

  it('that is one part is fetched once to be checked and used', async () => {
    const place = openDiskPlace(root);
    let fetched = 0;
    const counted = (...args: Parameters<typeof place.read>) => ((fetched += 1), place.read(...args));
    const reader = verifiedStore({ ...place, read: counted }, ledger);
    const bytes = randomBytes(5000);
    const { sha256 } = await putBytes(store, bytes);
    assert.deepEqual(Buffer.from(await reader.readRange(sha256, { offset: 100, length: 50 })), bytes.subarray(100, 150));
    assert.equal(fetched, 1);
  });

  it('is given as it is where its place says that it is smaller', async () => {
    const place = openDiskPlace(root);
    const bytes = randomBytes(CHUNK + 10);
    const { sha256 } = await putBytes(store, bytes);
    const low = async () => ({ size: CHUNK, stamp: '' });
    // All in one, as a place over a network may give them.
    const whole = async function* () {
      yield bytes;
    };
    const reader = verifiedStore({ ...place, facts: low, read: (name, range) => (range ? place.read(name, range) : whole()) }, ledger);
    assert.deepEqual(Buffer.from(await reader.readRange(sha256, { offset: CHUNK - 5, length: 10 })), bytes.subarray(CHUNK - 5, CHUNK + 5));
  });

  it('streams no byte of a part that does not match, also when it changes while it is read', async () => {
    const bytes = randomBytes(6 * CHUNK);
    const { sha256 } = await putBytes(store, bytes);
    assert.equal(await store.check(sha256), bytes.length);
    const given: Uint8Array[] = [];
    await assert.rejects(async () => {
      for await (const chunk of store.read(sha256)) {
        given.push(chunk);
        if (given.length > 1) continue;
        // In place: the reader's own descriptor sees it.
        const file = await open(spoil.pathOf(sha256), 'r+');
        await file.write(Buffer.from([(bytes[5 * CHUNK] ?? 0) ^ 1]), 0, 1, 5 * CHUNK);
        await file.close();
      }
    }, isFault('damaged'));
    assert.ok(Buffer.concat(given).equals(bytes.subarray(0, Buffer.concat(given).length)));
    assert.ok(Buffer.concat(given).length <= 5 * CHUNK);
  });

  it('that was damaged, cut or lost is whole again when the same bytes are stored again, and both are told', async () => {
    for (const harm of ['flip', 'cut', 'lose'] as const) {
      const bytes = randomBytes(5000);
      const { sha256 } = await putBytes(store, bytes);
      await spoil[harm](sha256);
      told.length = 0;
      await assert.rejects(store.check(sha256), BlobFault);
      await putBytes(store, bytes);
      assert.deepEqual(await readBytes(store, sha256), bytes);
      assert.deepEqual(told, [harm === 'lose' ? 'missing' : 'damaged', 'healed'], harm);
    }
  });

  it('is told of by the beginning of its hash, and never by all of it', async () => {
    const { sha256 } = await putBytes(store, randomBytes(10));
    await spoil.lose(sha256);
    await assert.rejects(
      store.check(sha256),
      (error: Error) => error.message.includes(sha256.slice(0, 12)) && !error.message.includes(sha256),
    );
  });

  it('stored, read, spoilt and stored again by many at once is whole in the end, and nobody reads anything else', async () => {
    const contents = Array.from({ length: 3 }, () => randomBytes(CHUNK + 500));
    const names = contents.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('put', 'read', 'flip', 'lose'), fc.nat(2)), { minLength: 5, maxLength: 25 }),
        async (acts) => {
          const stores = [store, fresh()];
          await Promise.all(contents.map((bytes) => putBytes(store, bytes)));
          await Promise.all(
            acts.map(async ([act, which], index) => {
              const [mine, bytes, name] = [stores[index % 2] ?? store, contents[which] ?? Buffer.alloc(0), names[which] ?? ''];
              if (act === 'put') await putBytes(mine, bytes);
              else if (act === 'read') {
                const got = await readBytes(mine, name).catch((error: unknown) => (assert.ok(error instanceof BlobFault), bytes));
                assert.ok(got.equals(bytes));
              } else await spoil[act](name).catch(() => {});
            }),
          );
          for (const bytes of contents) await putBytes(store, bytes);
          for (const [index, name] of names.entries())
            assert.ok((await readBytes(fresh(), name)).equals(contents[index] ?? Buffer.alloc(0)));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('costs the program that has read many of them what its caches count, and no more', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const reader = fresh();
    // What a collection finds is given back beside it, on a thread of its own.
    const held = async (most = 0) => {
      let bytes = 0;
      for (let looks = 0; looks < 50; looks += 1) {
        collect();
        bytes = process.memoryUsage().arrayBuffers;
        if (bytes <= most) return bytes;
        await setTimeout(20);
      }
      return bytes;
    };
    const read = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const { sha256, size } = await putBytes(reader, randomBytes(3000));
        await reader.readRange(sha256, { offset: 0, length: size });
        // What else a program does between two files.
        for (let other = 0; other < 40; other += 1) Buffer.from('x'.repeat(2000));
      }
    };
    await read(20);
    const most = (await held()) + 5_000_000;
    await read(400);
    // 400 × 3,000 bytes in parts that are kept and 400 × 32 in digests; each digest held 64 kB once.
    const bytes = await held(most);
    assert.ok(bytes < most, `${bytes - most + 5_000_000} bytes`);
  });
});
