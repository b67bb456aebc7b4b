import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { type MakeBelieveS3, startMakeBelieveS3 } from '@lavra/make-believe';
import { blobKey } from './blob-place.ts';
import { BlobFault, BlobTooLargeError, putBytes, readBytes, StorageFullError, StorageUnavailableError } from './blob-store.ts';
import { CHUNK } from './chunk-digests.ts';
import { openS3Place, type S3Deadlines } from './s3-place.ts';
import { proveStorage } from './know-storage.ts';
import { verifiedStore } from './verified-store.ts';

const short: S3Deadlines = { connectMs: 500, idleMs: 700, attempts: 2 };
/** Where nothing is slow but the machine: an upload that is begun twice leaves one behind. */
const patient: S3Deadlines = { connectMs: 10_000, idleMs: 20_000, attempts: 2 };

describe('blobs in a bucket', () => {
  let s3: MakeBelieveS3;
  before(async () => {
    s3 = await startMakeBelieveS3();
  });
  after(() => s3.close());
  afterEach(() => {
    s3.fault = null;
  });

  const settings = (change: Partial<MakeBelieveS3> = {}) => ({ ...s3, region: 'us-east-1', ...change });
  const fresh = (deadlines = short) => verifiedStore(openS3Place(settings(), deadlines));

  it('come back as they were stored, in whole and in every part, also those that go up in parts', async () => {
    for (const size of [0, 1, CHUNK + 5, 20 * 1024 * 1024 + 3]) {
      const bytes = randomBytes(size);
      const { sha256 } = await putBytes(fresh(patient), bytes);
      assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
      const store = fresh(patient);
      assert.ok((await readBytes(store, sha256)).equals(bytes));
      assert.ok(
        Buffer.from(await store.readRange(sha256, { offset: size >> 1, length: 70_000 })).equals(
          bytes.subarray(size >> 1, (size >> 1) + 70_000),
        ),
      );
      assert.equal(await store.check(sha256), size);
    }
    assert.deepEqual(
      [...s3.objects.keys()].filter((key) => key.startsWith('tmp/')),
      [],
    );
    assert.equal(s3.uploads.size, 0);
  });

  it('go up in parts also when the last answer is lost: what was put together is there', async () => {
    let posts = 0;
    // The first begins the upload, the second ends it.
    s3.fault = { kind: 'cut', when: (method) => method === 'POST' && ++posts === 2 };
    const bytes = randomBytes(20 * 1024 * 1024 + 3);
    const { sha256 } = await putBytes(fresh(patient), bytes);
    assert.ok(posts >= 3, 'it was asked for again');
    s3.fault = null;
    assert.ok((await readBytes(fresh(patient), sha256)).equals(bytes));
    assert.equal(s3.uploads.size, 0);
  });

  it('that were changed, cut or lost are a fault, and whole again when they are stored again', async () => {
    const bytes = randomBytes(2 * CHUNK + 9);
    const { sha256 } = await putBytes(fresh(), bytes);
    const key = blobKey(sha256);
    const changed = Buffer.from(bytes);
    changed[CHUNK] = (changed[CHUNK] ?? 0) ^ 1;
    for (const harm of [changed, bytes.subarray(0, CHUNK), null]) {
      if (harm) s3.objects.set(key, { bytes: harm, modified: new Date() });
      else s3.objects.delete(key);
      await assert.rejects(readBytes(fresh(), sha256), BlobFault);
      await assert.rejects(fresh().check(sha256), BlobFault);
      await putBytes(fresh(), bytes);
      assert.ok((await readBytes(fresh(), sha256)).equals(bytes));
    }
  });

  it('of a bucket that takes a connection and never answers are given up in time, with a code', async () => {
    const store = fresh();
    const { sha256 } = await putBytes(store, randomBytes(1000));
    s3.fault = { kind: 'hole' };
    const since = Date.now();
    await assert.rejects(putBytes(store, randomBytes(1000)), StorageUnavailableError);
    await assert.rejects(store.check(sha256), StorageUnavailableError);
    await assert.rejects(readBytes(fresh(), sha256), StorageUnavailableError);
    await assert.rejects(store.probe(), StorageUnavailableError);
    assert.ok(Date.now() - since < 30_000);
  });

  it('whose answer stops in the middle are given up; one that is slow is waited for', async () => {
    const bytes = randomBytes(4 * CHUNK);
    const { sha256 } = await putBytes(fresh(), bytes);
    s3.fault = { kind: 'cut', bytes: CHUNK + 100, when: (method) => method === 'GET' };
    await assert.rejects(readBytes(fresh(), sha256), (error) => error instanceof StorageUnavailableError || error instanceof BlobFault);
    s3.fault = { kind: 'slow', ms: 30, when: (method) => method === 'GET' };
    assert.ok((await readBytes(fresh(), sha256)).equals(bytes));
  });

  it('of a bucket that asks for patience are tried again, and then told', async () => {
    let refused = 0;
    s3.fault = { kind: 'slowDown', when: () => (refused += 1) <= 1 };
    await putBytes(fresh(), randomBytes(100));
    s3.fault = { kind: 'slowDown' };
    await assert.rejects(putBytes(fresh(), randomBytes(100)), StorageUnavailableError);
  });

  it('that another program stores at the same moment are never told as missing: Swift has none of an object while it is replaced', async () => {
    const bytes = randomBytes(2 * CHUNK + 9);
    const faults: string[] = [];
    const ledger = { stored: () => Promise.resolve(), fault: ({ kind }: BlobFault) => void faults.push(kind), healed: () => {} };
    const store = () => verifiedStore(openS3Place(settings(), patient), ledger);
    const { sha256 } = await putBytes(store(), bytes);
    for (const method of ['PUT', 'HEAD', 'GET']) {
      let asked = 0;
      const unseenTwice = () => {
        asked = 0;
        s3.fault = { kind: 'unseen', when: (one, key) => one === method && key === blobKey(sha256) && (asked += 1) <= 2 };
      };
      unseenTwice();
      assert.equal((await putBytes(store(), bytes)).sha256, sha256, method);
      assert.ok(asked >= 3, method);
      unseenTwice();
      assert.ok((await readBytes(store(), sha256)).equals(bytes), method);
      unseenTwice();
      assert.equal(await store().check(sha256), bytes.length, method);
      unseenTwice();
      assert.equal((await store().audit(sha256)).state, 'whole', method);
    }
    assert.deepEqual(faults, []);
  });

  it('of a bucket whose gateway is started again within a second are stored and read, in parts or not', async () => {
    for (const kind of ['reset', 'failed'] as const)
      for (const method of ['POST', 'PUT', 'HEAD', 'GET']) {
        let until = 0;
        const away = (one: string) => one === method && Date.now() < (until ||= Date.now() + 700);
        const bytes = randomBytes(method === 'POST' ? 12 * 1024 * 1024 : 1000);
        s3.fault = { kind, when: away };
        const { sha256 } = await putBytes(fresh(patient), bytes);
        until = 0;
        assert.ok((await readBytes(fresh(patient), sha256)).equals(bytes), `${kind} ${method}`);
      }
    assert.equal(s3.uploads.size, 0);
  });

  it('of a bucket that is really away are given up within seconds', async () => {
    for (const kind of ['reset', 'failed'] as const) {
      s3.fault = { kind };
      const since = Date.now();
      await assert.rejects(putBytes(fresh(patient), randomBytes(1000)), StorageUnavailableError);
      assert.ok(Date.now() - since < 15_000, kind);
      const probed = Date.now();
      await assert.rejects(fresh(patient).probe(), StorageUnavailableError);
      assert.ok(Date.now() - probed < 3000, 'the health has its cause');
    }
  });

  it('whose answer breaks off are read on from there, in whole or in part', async () => {
    const bytes = randomBytes(3 * CHUNK + 7);
    const { sha256 } = await putBytes(fresh(patient), bytes);
    for (const sent of [0, 1, CHUNK - 1, 2 * CHUNK]) {
      let cuts = 0;
      const breaksOff = () => {
        cuts = 0;
        s3.fault = { kind: 'cut', bytes: sent, when: (method) => method === 'GET' && (cuts += 1) <= 1 };
      };
      breaksOff();
      const store = fresh(patient);
      assert.ok((await readBytes(store, sha256)).equals(bytes), `${sent}`);
      breaksOff();
      const part = await store.readRange(sha256, { offset: CHUNK + 3, length: CHUNK });
      assert.ok(Buffer.from(part).equals(bytes.subarray(CHUNK + 3, 2 * CHUNK + 3)), `${sent}`);
      assert.ok(cuts > 1);
    }
  });

  it('past the bucket’s quota are refused as what they are, and leave nothing', async () => {
    const before = s3.objects.size;
    s3.fault = { kind: 'quota' };
    await assert.rejects(putBytes(fresh(), randomBytes(100)), StorageFullError);
    await assert.rejects(putBytes(fresh(), randomBytes(12 * 1024 * 1024)), StorageFullError);
    s3.fault = null;
    assert.deepEqual([s3.objects.size, s3.uploads.size], [before, 0]);
    await putBytes(fresh(), randomBytes(100));
  });

  it('past the limit, broken off, or whose client is gone leave nothing behind', async () => {
    const before = s3.objects.size;
    async function* endless() {
      for (;;) yield randomBytes(1024 * 1024);
    }
    await assert.rejects(fresh().put(endless(), { maxBytes: 20 * 1024 * 1024 }), BlobTooLargeError);
    async function* broken() {
      yield randomBytes(9 * 1024 * 1024);
      throw new Error('connection lost');
    }
    await assert.rejects(fresh().put(broken()), /connection lost/);
    const gone = new AbortController();
    async function* waiting() {
      yield randomBytes(9 * 1024 * 1024);
      gone.abort();
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield randomBytes(9 * 1024 * 1024);
    }
    await assert.rejects(fresh().put(waiting(), { signal: gone.signal }));
    assert.deepEqual([s3.objects.size, s3.uploads.size], [before, 0]);
  });

  it('that a killed program left half written are swept a day later, in parts or not; younger ones and blobs stay', async () => {
    const old = new Date(Date.now() - 48 * 3_600_000);
    for (let index = 0; index < 5; index += 1) s3.objects.set(`tmp/old-${index}`, { bytes: Buffer.from('half'), modified: old });
    s3.objects.set('tmp/young', { bytes: Buffer.from('half'), modified: new Date() });
    s3.uploads.set('old', { key: 'tmp/a', begun: old, parts: new Map() });
    s3.uploads.set('young', { key: 'tmp/b', begun: new Date(), parts: new Map() });
    const { sha256 } = await putBytes(fresh(), randomBytes(50));
    assert.equal(await fresh().sweepLeftovers(new Date(Date.now() - 24 * 3_600_000)), 6);
    assert.deepEqual([...s3.uploads.keys()], ['young']);
    assert.deepEqual(
      [...s3.objects.keys()].filter((key) => key.startsWith('tmp/')),
      ['tmp/young'],
    );
    const listed: { sha256: string; size: number }[] = [];
    for await (const one of fresh().list()) listed.push(one);
    assert.ok(listed.some((one) => one.sha256 === sha256 && one.size === 50));
    s3.objects.delete('tmp/young');
    s3.uploads.clear();
  });

  it('cannot be started with when the key, the bucket or the endpoint is wrong: one line names the variable and the cause', async () => {
    const wrong: [Partial<MakeBelieveS3>, RegExp][] = [
      [{ secretAccessKey: 'another' }, /SignatureDoesNotMatch/],
      [{ bucket: 'nobodys' }, /NoSuchBucket/],
      [{ endpoint: 'http://127.0.0.1:9' }, /ECONNREFUSED/],
    ];
    for (const [change, cause] of wrong) {
      await assert.rejects(proveStorage(openS3Place(settings(change), short)), (error: Error) => {
        assert.match(error.message, /^S3_BUCKET: /);
        assert.match(error.message, cause);
        assert.ok(error.message.includes(change.bucket ?? s3.bucket) && error.message.includes(change.endpoint ?? s3.endpoint));
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    }
    await proveStorage(openS3Place(settings(), short));
    assert.deepEqual(
      [...s3.objects.keys()].filter((key) => key.startsWith('tmp/')),
      [],
    );
  });
});
