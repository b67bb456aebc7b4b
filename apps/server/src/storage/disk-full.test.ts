import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { type TestAccount, signedInAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { exhaustJobs, hurryJobs } from '../testing/jobs.ts';
import { samplePdf, sendElectronically, startedProcess, upload } from '../testing/processes.ts';

const ROOM_MB = 8;

/** A disk of its own that is full soon; null where this user may mount none. */
async function smallDisk(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'lavra-small-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM_MB}m`, 'tmpfs', folder]);
  if (mounted.status === 0) return folder;
  await rm(folder, { recursive: true });
  return null;
}

const disk = process.platform === 'linux' ? await smallDisk() : null;

describe('a full disk', { skip: disk === null && 'needs the right to mount a small tmpfs' }, () => {
  let app: TestApp;
  let ana: TestAccount;
  const dataDir = disk ?? '';
  const filler = join(dataDir, 'filler');
  before(async () => {
    app = await startTestApp({ config: { dataDir } });
    ana = await signedInAccount(app);
  });
  after(async () => {
    await app.close();
    spawnSync('umount', ['-l', dataDir]);
    await rm(dataDir, { recursive: true, force: true });
  });
  /** To the last byte. */
  const fill = async () => {
    for (let size = ROOM_MB * 1024 * 1024; size >= 1; size >>= 1)
      await writeFile(filler, Buffer.alloc(size), { flag: 'a' }).catch(() => {});
  };

  const processOf = (id: string) =>
    app.ctx.db.selectFrom('signature_process').select(['status', 'problem']).where('id', '=', id).executeTakeFirstOrThrow();

  it('answers an upload and a signature with a code, keeps nothing of them, and all goes on by itself when there is room', async () => {
    const { id, signerIds } = await startedProcess(app, ana);
    const [signer = ''] = signerIds;
    await mkdir(join(dataDir, 'blobs/tmp'), { recursive: true });
    await fill();
    const large = Buffer.concat([await samplePdf(), randomBytes(300_000)]);
    const since = Date.now();
    const refused = await upload(app, ana.token, [{ name: 'grande.pdf', bytes: large }]);
    assert.deepEqual([refused.status, refused.code], [507, 'storage.full']);
    assert.doesNotMatch(refused.raw.json().detail, /storage\./);
    const signed = await sendElectronically(app, id, signer);
    assert.deepEqual([signed.status, signed.code], [507, 'storage.full']);
    assert.ok(Date.now() - since < 20_000);
    assert.deepEqual(await readdir(join(dataDir, 'blobs/tmp')), []);
    assert.equal((await app.call(api.getSignatureProcess, { token: ana.token, params: { id } })).body.status, 'IN_PROGRESS');

    await rm(filler);
    assert.equal((await upload(app, ana.token, [{ name: 'grande.pdf', bytes: await samplePdf(3) }])).status, 200);
    assert.equal((await sendElectronically(app, id, signer)).status, 204);
    // Full again between the act and its signature: the signer sees why, and it is signed when there is room.
    await fill();
    await app.runJobs();
    const status = async () => (await app.call(api.getSignatureStatus, { params: { processId: id, signerId: signer } })).body;
    assert.deepEqual(await status().then((one) => [one.status, one.reason]), ['SIGNING', 'storage.full']);
    await rm(filler);
    await exhaustJobs(app, 'sign-electronic');
    assert.equal((await status()).status, 'SIGNED');
    assert.equal((await app.call(api.getSignatureProcess, { token: ana.token, params: { id } })).body.status, 'FINALIZED_WITH_SUCCESS');
    assert.deepEqual(await readdir(join(dataDir, 'blobs/tmp')), []);
  });

  it('keeps a file from being put together of its pieces, which stay: the last is sent again when there is room', async () => {
    const file = Buffer.concat([await samplePdf(), randomBytes(900_000)]);
    const uploadId = randomUUID();
    const send = (url: string, bytes: Buffer, fields: Record<string, string> = {}) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append('files', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'contrato.pdf');
      return app.inject({ method: 'POST', url, payload: body, headers: { authorization: `Bearer ${ana.token}` } });
    };
    const cut = file.length - 1000;
    assert.equal((await send(`/api/uploads/${uploadId}?from=0`, file.subarray(0, cut))).statusCode, 200);
    const used = async () =>
      (await app.ctx.db.selectFrom('app_user').selectAll().where('email', '=', ana.email).executeTakeFirstOrThrow()) as object;
    const before = await used();
    await fill();
    const refused = await send('/api/documents', file.subarray(cut), { continues: uploadId, from: String(cut) });
    assert.deepEqual([refused.statusCode, refused.headers['x-app-error']], [507, 'storage.full']);
    assert.deepEqual([await readdir(join(dataDir, 'blobs/tmp')), await used()], [[], before]);
    await rm(filler);
    const last = await send('/api/documents', file.subarray(cut), { continues: uploadId, from: String(cut) });
    assert.equal(last.statusCode, 200, last.body);
    const [document] = last.json() as api.UploadedDocument[];
    assert.equal(document?.hash, createHash('sha256').update(file).digest('hex'));
  });

  it('keeps a process from its seal and its report, tells its owner, and it ends by itself when there is room', async () => {
    const { id, signerIds, documentIds } = await startedProcess(app, ana);
    assert.equal((await sendElectronically(app, id, signerIds[0] ?? '')).status, 204);
    const { put } = app.ctx.storage;
    let puts = 0;
    // The signature has room, its seal none; then the seal has, and the report none.
    app.ctx.storage.put = async (content, options) => {
      puts += 1;
      if (puts !== 2 && puts !== 4) return put(content, options);
      await fill();
      return put(content, options).finally(() => rm(filler));
    };
    await app.runJobs();
    for (const stored of [2, 4]) {
      assert.equal(puts, stored);
      const { status, problem } = await processOf(id);
      assert.deepEqual([status, problem], ['IN_PROGRESS', 'process.finalizationDelayed']);
      const kinds = await app.ctx.db
        .selectFrom('document_revision')
        .select('kind')
        .where('document_id', '=', documentIds[0] ?? '')
        .execute();
      assert.deepEqual(kinds.map(({ kind }) => kind).toSorted(), ['preparation', 'signature', 'upload']);
      assert.deepEqual(await readdir(join(dataDir, 'blobs/tmp')), []);
      await hurryJobs(app, 'finalize-process');
    }
    app.ctx.storage.put = put;
    const { status, problem } = await processOf(id);
    assert.deepEqual([status, problem], ['FINALIZED_WITH_SUCCESS', null]);
  });
});
