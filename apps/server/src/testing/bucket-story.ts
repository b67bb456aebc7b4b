import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import * as api from '@lavra/api';
import { BlobFault, putBytes, readBytes } from '../storage/blob-store.ts';
import { CHUNK } from '../storage/chunk-digests.ts';
import { proveStorage } from '../storage/know-storage.ts';
import { openS3Place } from '../storage/s3-place.ts';
import { verifiedStore } from '../storage/verified-store.ts';
import { signedInAccount } from './accounts.ts';
import { startTestApp, type TestApp } from './app.ts';
import type { ForeignBucket } from './foreign-bucket.ts';
import { samplePdf, signElectronically, startedProcess } from './processes.ts';

/** What a bucket must do for the product, told of one that another maker's server has. */
export function tellBucket(start: () => Promise<ForeignBucket>): void {
  let bucket: ForeignBucket;
  /** A node that keeps its files there. */
  let app: TestApp;
  const settings = () => {
    const { stop: _stop, ...s3 } = bucket;
    return s3;
  };
  before(async () => {
    bucket = await start();
    app = await startTestApp({ config: { s3: settings() } });
  });
  after(async () => {
    await app?.close();
    await bucket?.stop();
  });
  const fresh = () => verifiedStore(openS3Place(bucket));

  it('come back as they were stored, in whole and in every part, also those that go up in parts', async () => {
    await proveStorage(openS3Place(bucket));
    for (const size of [0, 1, CHUNK + 5, 20 * 1024 * 1024 + 3]) {
      const bytes = randomBytes(size);
      const { sha256 } = await putBytes(fresh(), bytes);
      assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
      assert.ok((await readBytes(fresh(), sha256)).equals(bytes));
      const part = await fresh().readRange(sha256, { offset: size >> 1, length: 70_000 });
      assert.ok(Buffer.from(part).equals(bytes.subarray(size >> 1, (size >> 1) + 70_000)));
      assert.equal(await fresh().check(sha256), size);
    }
  });

  it('are there for whoever reads and stores them while others store the same: signers with one picture', async () => {
    const bytes = randomBytes(2000);
    const faults: string[] = [];
    const ledger = { stored: () => Promise.resolve(), fault: ({ kind }: BlobFault) => void faults.push(kind), healed: () => {} };
    const signers = Array.from({ length: 6 }, async () => {
      const store = verifiedStore(openS3Place(bucket), ledger);
      for (let n = 0; n < 15; n += 1) {
        const { sha256 } = await putBytes(store, bytes);
        assert.equal((await store.audit(sha256)).state, 'whole');
      }
    });
    await Promise.all(signers);
    assert.deepEqual(faults, []);
  });

  it('are listed with their sizes, once each, and gone when they are removed', async () => {
    const place = openS3Place(bucket);
    const stored = await Promise.all(Array.from({ length: 12 }, (_, n) => putBytes(fresh(), randomBytes(n + 10))));
    const listed: { sha256: string; size: number }[] = [];
    for await (const one of place.list()) listed.push(one);
    for (const { sha256, size } of stored) assert.equal(listed.filter((one) => one.sha256 === sha256 && one.size === size).length, 1);
    const [first] = stored;
    assert.ok(first);
    await place.delete(first.sha256);
    assert.equal(await place.facts(first.sha256), null);
    await assert.rejects(readBytes(fresh(), first.sha256), BlobFault);
  });

  it('leave nothing behind when the upload breaks off, and what a killed program left is swept', async () => {
    async function* broken() {
      for (let n = 0; n < 12; n += 1) yield randomBytes(1024 * 1024);
      throw new Error('the line is cut');
    }
    const place = openS3Place(bucket);
    await assert.rejects(place.stage(broken()), /the line is cut/);
    // Begun, and its program killed: never placed and never discarded.
    await place.stage(
      (async function* () {
        yield randomBytes(1000);
      })(),
    );
    assert.ok((await place.sweepLeftovers(new Date(Date.now() + 60_000))) >= 1);
    assert.equal(await place.sweepLeftovers(new Date(Date.now() + 60_000)), 0);
  });

  it('carry a whole process: its file is sealed, verified by another maker, and every byte of it is where the inventory says', async () => {
    const ana = await signedInAccount(app);
    const { id, signerIds, documentIds } = await startedProcess(app, ana, {
      signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }],
    });
    await app.runJobs();
    assert.equal((await signElectronically(app, id, signerIds[0] ?? '')).status, 204);
    await app.runJobs();
    const process = await app.call(api.getSignatureProcess, { token: ana.token, params: { id } });
    assert.equal(process.body.status, 'FINALIZED_WITH_SUCCESS');
    const file = await app.inject({
      method: 'GET',
      url: `/api/documents/${documentIds[0]}/content`,
      headers: { authorization: `Bearer ${ana.token}` },
    });
    const path = join(app.dataDir, 'signed.pdf');
    writeFileSync(path, file.rawPayload);
    const said = execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8' });
    assert.equal(said.match(/Signature is Valid/g)?.length, 2);
    const inventory = await app.ctx.db.selectFrom('blob').select(['hash', 'size']).execute();
    assert.ok(inventory.length >= 3);
    for (const { hash, size } of inventory) assert.equal(await fresh().check(hash), size);
  });

  it('keep the pieces of an upload that broke off at one node, and another node makes the file of them that was sent', async () => {
    const other = await startTestApp({ connection: app.connection, config: { s3: settings() } });
    try {
      const { token } = await signedInAccount(app, { email: 'caio@exemplo.com.br' });
      const file = Buffer.concat([await samplePdf(), randomBytes(2 * 1024 * 1024)]);
      const uploadId = randomUUID();
      const send = (node: TestApp, url: string, bytes: Buffer, fields: Record<string, string> = {}) => {
        const body = new FormData();
        for (const [name, value] of Object.entries(fields)) body.append(name, value);
        body.append('files', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'contrato.pdf');
        return node.inject({ method: 'POST', url, payload: body, headers: { authorization: `Bearer ${token}` } });
      };
      const cut = 1024 * 1024 + 17;
      const first = await send(app, `/api/uploads/${uploadId}?from=0`, file.subarray(0, cut));
      assert.equal(first.statusCode, 200, first.body);
      const known = await other.call(api.findUpload, { token, params: { uploadId } });
      assert.equal(known.body.received, cut);
      const last = await send(other, '/api/documents', file.subarray(cut), { continues: uploadId, from: String(cut) });
      assert.equal(last.statusCode, 200, last.body);
      const [document] = JSON.parse(last.body) as api.UploadedDocument[];
      const sha256 = createHash('sha256').update(file).digest('hex');
      assert.deepEqual([document?.hash, document?.size], [sha256, file.length]);
      assert.ok((await readBytes(fresh(), sha256)).equals(file));
    } finally {
      await other.close();
    }
  });

  it('have notes beside them, which are written, read and removed', async () => {
    const place = openS3Place(bucket);
    assert.equal(await place.readNote('note'), null);
    await place.writeNote('note', 'of whom this is');
    assert.equal(await place.readNote('note'), 'of whom this is');
    await place.deleteNote('note');
    assert.equal(await place.readNote('note'), null);
  });
}
