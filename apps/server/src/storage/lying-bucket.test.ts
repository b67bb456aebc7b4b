import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { type MakeBelieveS3, type S3Fault, startMakeBelieveS3 } from '@lavra/make-believe';
import { copyBlobs } from '../commands/moving/copy-blobs.ts';
import { BlobFault, putBytes, readBytes, StorageError, StorageUnavailableError } from './blob-store.ts';
import type { BlobPlace } from './blob-place.ts';
import { CHUNK } from './chunk-digests.ts';
import { openDiskPlace } from './disk-place.ts';
import { openS3Place } from './s3-place.ts';
import { type StorageLedger, verifiedStore } from './verified-store.ts';

const isBlob = (key: string) => /^[0-9a-f]{2}\//.test(key);

describe('a bucket that lies', () => {
  let s3: MakeBelieveS3;
  const told: string[] = [];
  const ledger: StorageLedger = {
    stored: () => Promise.resolve(),
    fault: (fault: BlobFault) => void told.push(fault.kind),
    healed: () => void told.push('healed'),
  };
  before(async () => {
    s3 = await startMakeBelieveS3();
  });
  after(() => s3.close());
  afterEach(() => {
    s3.fault = null;
    told.length = 0;
  });
  const fresh = () =>
    verifiedStore(openS3Place({ ...s3, region: 'us-east-1' }, { connectMs: 10_000, idleMs: 20_000, attempts: 2 }), ledger);

  const lies: [string, S3Fault][] = [
    ['lost what it says it has', { kind: 'lost', when: (method, key) => method === 'PUT' && isBlob(key) }],
    ['lost what came first', { kind: 'lost', when: (method, key) => method === 'PUT' && !isBlob(key) }],
    ['kept half of it', { kind: 'short', when: (method, key) => method === 'PUT' && isBlob(key) }],
    ['kept half of what came first', { kind: 'short', when: (method, key) => method === 'PUT' && !isBlob(key) }],
    ['gives another byte', { kind: 'wrong', when: (method, key) => method === 'GET' && isBlob(key) }],
    ['gives half', { kind: 'half', when: (method, key) => method === 'GET' && isBlob(key) }],
    ['never stops giving', { kind: 'endless', when: (method, key) => method === 'GET' && isBlob(key) }],
  ];
  for (const [how, fault] of lies) {
    for (const size of [1000, 2 * CHUNK + 9]) {
      it(`is not told as having stored ${size} bytes when it ${how}; stored again, they are there`, async () => {
        const bytes = randomBytes(size);
        s3.fault = fault;
        await assert.rejects(putBytes(fresh(), bytes), StorageUnavailableError);
        s3.fault = null;
        const { sha256 } = await putBytes(fresh(), bytes);
        assert.ok((await readBytes(fresh(), sha256)).equals(bytes));
        assert.deepEqual(
          [...s3.objects.keys()].filter((key) => key.startsWith('tmp/')),
          [],
        );
      });
    }
  }

  describe('is moved into by nobody who is not told that it', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'lavra-from-'));
    });
    after(() => rm(folder, { recursive: true }));

    const bucket = () => openS3Place({ ...s3, region: 'us-east-1' });
    const move = (sha256: string, to: BlobPlace) =>
      copyBlobs(
        openDiskPlace(folder),
        to,
        (async function* () {
          yield { sha256, isNeeded: true };
        })(),
      );
    const moves: [string, S3Fault | null, () => BlobPlace][] = [
      ['lost a file', { kind: 'lost', when: (method, key) => method === 'PUT' && isBlob(key) }, bucket],
      ['never stops giving one', { kind: 'endless', when: (method, key) => method === 'GET' && isBlob(key) }, bucket],
      [
        'does not give what it says it has',
        null,
        () => ({
          ...bucket(),
          read(sha256) {
            throw new BlobFault(sha256, 'missing');
          },
        }),
      ],
    ];
    for (const [how, fault, to] of moves) {
      it(how, { timeout: 20_000 }, async () => {
        const { sha256 } = await putBytes(verifiedStore(openDiskPlace(folder)), randomBytes(2000));
        s3.fault = fault;
        // Nor is the file said to be missing where it is.
        await assert.rejects(move(sha256, to()), StorageUnavailableError);
        s3.fault = null;
        s3.objects.clear();
        assert.deepEqual(await move(sha256, bucket()), { files: 1, copied: 1, bytes: 2000, faults: [] });
      });
    }
  });

  it('is told as having stored what it has, although it said that it failed', async () => {
    let failed = 0;
    s3.fault = { kind: 'kept', when: (method) => (method === 'PUT' ? (failed += 1) % 2 === 1 : false) };
    const bytes = randomBytes(CHUNK + 1);
    const { sha256 } = await putBytes(fresh(), bytes);
    s3.fault = null;
    assert.equal(failed, 4);
    assert.ok((await readBytes(fresh(), sha256)).equals(bytes));
  });

  it('that damages a good file while it is stored again is written down, and so is its mending', async () => {
    const bytes = randomBytes(3000);
    const store = fresh();
    const { sha256 } = await putBytes(store, bytes);
    s3.fault = { kind: 'short', when: (method, key) => method === 'PUT' && isBlob(key) };
    await assert.rejects(putBytes(store, bytes), StorageUnavailableError);
    assert.deepEqual(told, ['damaged']);
    s3.fault = null;
    await putBytes(store, bytes);
    assert.deepEqual(told, ['damaged', 'healed']);
    assert.ok((await readBytes(store, sha256)).equals(bytes));
  });

  it('that knows no ranges gives no byte more than was asked for, and no other one', async () => {
    const bytes = randomBytes(6 * CHUNK + 77);
    const { sha256 } = await putBytes(fresh(), bytes);
    const store = fresh();
    await store.check(sha256);
    s3.fault = { kind: 'whole', when: (method) => method === 'GET' };
    for (const [offset, length] of [
      [0, 10],
      [0, CHUNK + 5],
      [5, 2 * CHUNK],
      [CHUNK + 1, 2 * CHUNK],
      [3 * CHUNK, 7],
    ] as const) {
      const right = bytes.subarray(offset, offset + length);
      const range = await store.readRange(sha256, { offset, length }).catch((error: unknown) => error);
      assert.ok(range instanceof StorageError || right.equals(range as Uint8Array), `${offset}+${length}`);
      const parts: Uint8Array[] = [];
      const fault = await (async () => {
        for await (const part of store.read(sha256, { offset, length })) parts.push(part);
      })().catch((error: unknown) => error);
      const given = Buffer.concat(parts);
      assert.ok(right.subarray(0, given.length).equals(given), `${offset}+${length}`);
      assert.ok(fault instanceof StorageError || given.length === length, `${offset}+${length}`);
    }
  });
});
