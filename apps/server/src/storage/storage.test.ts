import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type BlobStore, BlobFault, BlobTooLargeError, putBytes, readBytes, StorageUnavailableError } from './blob-store.ts';
import { openDiskPlace } from './disk-place.ts';
import { atOnceReader } from './file-reader.ts';
import { verifiedStore } from './verified-store.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]) {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

describe('blobs on disk', () => {
  let root: string;
  let store: BlobStore;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'lavra-blobs-'));
    store = verifiedStore(openDiskPlace(root));
  });
  after(() => rm(root, { recursive: true }));

  it('come back as they were stored, in whole and in every part, whatever the chunks were', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        fc.array(fc.nat(700), { maxLength: 8 }),
        fc.nat(5000),
        fc.nat(5000),
        async (bytes, sizes, a, b) => {
          const stored = await store.put(chunksOf(bytes, sizes));
          assert.deepEqual(stored, { sha256: sha256(bytes), size: bytes.length });
          assert.deepEqual(await readBytes(store, stored.sha256), Buffer.from(bytes));
          const offset = Math.min(a, bytes.length);
          const length = Math.min(b, bytes.length - offset);
          assert.deepEqual(await store.readRange(stored.sha256, { offset, length }), Buffer.from(bytes.subarray(offset, offset + length)));
          assert.equal(await store.check(stored.sha256), bytes.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are damaged where something else has their name: a folder, a pipe', async () => {
    for (const make of [(path: string) => mkdir(path), (path: string) => Promise.resolve(void execFileSync('mkfifo', [path]))]) {
      const { sha256: hash } = await putBytes(store, randomBytes(1000));
      const path = join(root, hash.slice(0, 2), hash.slice(2, 4), hash);
      await rm(path);
      await make(path);
      const inWorker = verifiedStore(openDiskPlace(root, atOnceReader));
      for (const read of [
        () => store.check(hash),
        () => readBytes(store, hash),
        () => inWorker.check(hash),
        () => readBytes(inWorker, hash),
      ]) {
        await assert.rejects(Promise.race([read(), sleep(5000, 'held up')]), BlobFault);
      }
      await rm(path, { recursive: true });
    }
  });

  it('are on the disk with every name above them before they count as stored; a folder that a program has forced there is not forced again', async () => {
    const own = join(root, 'forced');
    const sameFolder = Array.from({ length: 5000 }, (_, n) => Buffer.from(String(n))).filter((bytes) => sha256(bytes).startsWith('ab'));
    const sameInner = Array.from({ length: 600_000 }, (_, n) => Buffer.from(`inner ${n}`)).filter((bytes) =>
      sha256(bytes).startsWith('abcd'),
    );
    const synced: string[] = [];
    const { open, fsync } = fs;
    const paths = new Map<number, string>();
    fs.open = ((path: string, flags: string, mode: number, opened: (error: Error | null, file: number) => void) =>
      open(path, flags, mode, (error, file) => (paths.set(file, path), opened(error, file)))) as typeof open;
    fs.fsync = ((file: number, forced: (error: Error | null) => void) =>
      fsync(file, (error) => {
        synced.push(relative(own, paths.get(file) ?? '').replace(/tmp\/.*/, 'bytes'));
        forced(error);
      })) as typeof fsync;
    try {
      const put = async (into: BlobStore) => {
        const bytes = sameFolder.pop() ?? assert.fail('more of that folder');
        await putBytes(into, bytes);
        return synced.splice(0).map((name) => (name === `ab/${sha256(bytes).slice(2, 4)}` ? 'inner' : name));
      };
      const [one, another] = [verifiedStore(openDiskPlace(own)), verifiedStore(openDiskPlace(own))];
      assert.deepEqual(await put(one), ['bytes', 'inner', 'ab', '']);
      assert.deepEqual(await put(one), ['bytes', 'inner', 'ab']);
      assert.deepEqual(await put(another), ['bytes', 'inner', 'ab', '']);
      await rm(join(own, 'ab'), { recursive: true });
      assert.deepEqual(await put(one), ['bytes', 'inner', 'ab', '']);
      const [first, ...more] = sameInner;
      sameFolder.push(...more, first ?? assert.fail('none of that folder'));
      assert.deepEqual(await put(one), ['bytes', 'inner', 'ab']);
      assert.deepEqual(await put(one), ['bytes', 'inner']);
      await rm(join(own, 'ab', 'cd'), { recursive: true });
      assert.deepEqual(await put(one), ['bytes', 'inner', 'ab']);
      assert.deepEqual(await put(one), ['bytes', 'inner']);
    } finally {
      Object.assign(fs, { open, fsync });
    }
  });

  it('are stored once, also when the same content comes many times at once', async () => {
    const bytes = randomBytes(200_000);
    const directory = join(root, sha256(bytes).slice(0, 2), sha256(bytes).slice(2, 4));
    // Another content may have come to lie there, by the first letters of its hash.
    const others = await readdir(directory).catch(() => []);
    const stored = await Promise.all(Array.from({ length: 10 }, () => putBytes(store, bytes)));
    assert.equal(new Set(stored.map((blob) => blob.sha256)).size, 1);
    assert.deepEqual((await readdir(directory)).toSorted(), [...others, sha256(bytes)].toSorted());
    assert.equal((await stat(join(directory, sha256(bytes)))).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('past the limit are refused and leave nothing behind', async () => {
    const bytes = randomBytes(10_001);
    await assert.rejects(store.put(chunksOf(bytes, [5000]), { maxBytes: 10_000 }), BlobTooLargeError);
    assert.equal(await store.has(sha256(bytes)), false);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('of a storage that fails when it is tried leave no file of the trial', async () => {
    const place = openDiskPlace(root);
    const away = new StorageUnavailableError(new Error('away'));
    const failing = verifiedStore({ ...place, readNote: () => Promise.reject(away) });
    await assert.rejects(failing.probe(), away);
    await assert.rejects(verifiedStore({ ...place, readNote: async () => 'something else' }).probe(), StorageUnavailableError);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('whose upload breaks off leave nothing behind', async () => {
    async function* broken() {
      yield randomBytes(1000);
      throw new Error('connection lost');
    }
    await assert.rejects(store.put(broken()), /connection lost/);
    assert.deepEqual(await readdir(join(root, 'tmp')), []);
  });

  it('do not appear under their name before they are complete', async () => {
    const bytes = randomBytes(3000);
    let seen = true;
    async function* slow() {
      yield bytes.subarray(0, 1500);
      seen = await store.has(sha256(bytes));
      yield bytes.subarray(1500);
    }
    await store.put(slow());
    assert.deepEqual([seen, await store.has(sha256(bytes))], [false, true]);
  });

  it('that are missing say so', async () => {
    await assert.rejects(readBytes(store, sha256(Buffer.from('nobody stored this'))), BlobFault);
    await assert.rejects(store.readRange('../../etc/passwd', { offset: 0, length: 1 }), BlobFault);
    const { sha256: name } = await putBytes(store, Buffer.from('short lived'));
    await store.delete(name);
    await store.delete(name);
    assert.equal(await store.has(name), false);
  });

  it('that a crash left half written are swept a day later, and younger ones are left alone', async () => {
    const other = await mkdtemp(join(tmpdir(), 'lavra-blobs-'));
    await mkdir(join(other, 'tmp'));
    for (const name of ['old', 'young']) await writeFile(join(other, 'tmp', name), 'half');
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    await utimes(join(other, 'tmp/old'), twoDaysAgo, twoDaysAgo);
    const dayAgo = new Date(Date.now() - 24 * 3_600_000);
    assert.equal(await verifiedStore(openDiskPlace(other)).sweepLeftovers(dayAgo), 1);
    assert.deepEqual(await readdir(join(other, 'tmp')), ['young']);
    await rm(other, { recursive: true });
  });

  it('pass through in constant memory', async () => {
    const chunk = randomBytes(1024 * 1024);
    async function* large() {
      for (let index = 0; index < 100; index += 1) yield chunk;
    }
    global.gc?.();
    const idle = process.memoryUsage.rss();
    let peak = idle;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
    const { sha256: name } = await store.put(large());
    let size = 0;
    for await (const part of store.read(name)) size += part.length;
    clearInterval(timer);
    assert.equal(size, 100 * 1024 * 1024);
    assert.ok(peak - idle < 80 * 1024 * 1024, `${Math.round((peak - idle) / 1024 / 1024)} MB above idle`);
  });
});
