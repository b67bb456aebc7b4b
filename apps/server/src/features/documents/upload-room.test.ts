import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Person } from '../../access/actor.ts';
import { type TestAccount, signedInAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { samplePdf, upload } from '../../testing/processes.ts';
import { answersUpload } from './answers-upload.ts';
import { takeRoom } from './documents.store.ts';
import { deleteAbandonedDocuments } from './sweep-documents.ts';

describe('what an account may upload', () => {
  let app: TestApp;
  let pdf: Buffer;
  before(async () => {
    pdf = await samplePdf();
    // Four files of this size a day, six in all; the rest is the form around a file.
    const form = 400;
    app = await startTestApp({ config: { maxDailyUploadBytes: 4 * pdf.length + form, maxAccountBytes: 6 * pdf.length + form } });
  });
  after(() => app.close());
  const send = (account: TestAccount) => upload(app, account.token, [{ name: 'a.pdf', bytes: pdf }]);
  const kept = async (account: TestAccount) =>
    Number(
      (await app.ctx.db.selectFrom('upload_usage').select('total_bytes').where('user_id', '=', account.id).executeTakeFirst())
        ?.total_bytes ?? 0,
    );

  it('in one day and in all is bounded, each with its own code, and refused before the bytes are read', async () => {
    const ana = await signedInAccount(app);
    for (let time = 0; time < 4; time += 1) assert.equal((await send(ana)).status, 200);
    const fifth = await send(ana);
    assert.deepEqual([fifth.status, fifth.code], [429, 'document.dailyLimitReached']);
    assert.doesNotMatch(fifth.raw.json().detail, /\{\{/);
    assert.deepEqual(await readdir(join(app.dataDir, 'blobs/tmp')), []);
  });

  it('cannot be passed by uploads at the same time: the room is taken in one statement', async () => {
    const eva = await signedInAccount(app);
    const bounds = { daily: 1000, total: 700 };
    const taken = await Promise.all(Array.from({ length: 40 }, () => takeRoom(app.ctx, eva.id, 50, bounds)));
    assert.equal(taken.filter((one) => one === 'taken').length, 14);
    const days = { daily: 300, total: 1_000_000 };
    const rui = await signedInAccount(app);
    const today = await Promise.all(Array.from({ length: 40 }, () => takeRoom(app.ctx, rui.id, 50, days)));
    assert.equal(today.filter((one) => one === 'taken').length, 6);
    app.clock.advance({ days: 1 });
    assert.equal(await takeRoom(app.ctx, rui.id, 50, days), 'taken');
  });

  it('is bounded by the file as well: many small ones cost more than their bytes', async () => {
    const teo = await signedInAccount(app);
    assert.equal((await send(teo)).status, 200);
    await app.ctx.db.updateTable('rate_limit').set({ count: 10_000 }).where('bucket', 'like', 'upload:%').execute();
    const next = await send(teo);
    assert.deepEqual([next.status, next.code], [429, 'request.tooMany']);
    assert.deepEqual(await readdir(join(app.dataDir, 'blobs/tmp')), []);
    await app.ctx.db.deleteFrom('rate_limit').where('bucket', 'like', 'upload:%').execute();
  });

  it('is bounded in the same way for what is sent again with its key, which is read to be compared', async () => {
    const bia = await signedInAccount(app);
    const again = () => upload(app, bia.token, [{ name: 'a.pdf', bytes: pdf }], { 'idempotency-key': 'the same' });
    const first = await again();
    assert.deepEqual((await again()).body, first.body);
    await app.ctx.db.updateTable('rate_limit').set({ count: 10_000 }).where('bucket', 'like', 'upload:%').execute();
    const next = await again();
    assert.deepEqual([next.status, next.code], [429, 'request.tooMany']);
    await app.ctx.db.deleteFrom('rate_limit').where('bucket', 'like', 'upload:%').execute();
    assert.deepEqual((await again()).body, first.body);
  });

  it('is not read to its end to be compared with what is shorter', async () => {
    const eli = await signedInAccount(app);
    let given = 0;
    async function* endless() {
      for (; given < 1000; given += 1) yield Buffer.alloc(1000);
    }
    async function* files() {
      yield { continues: null, bytes: endless() };
    }
    const actor = { userId: eli.id } as Person;
    assert.equal(await answersUpload(app.ctx, actor, { files: files(), answered: [{ hash: 'x', size: 5000 }] }), false);
    assert.ok(given < 10);
  });

  it('is given back for what was refused and for what was abandoned', async () => {
    const lia = await signedInAccount(app);
    assert.equal((await upload(app, lia.token, [{ name: 'x.pdf', bytes: Buffer.from('no PDF at all') }])).code, 'document.notPdf');
    assert.equal(await kept(lia), 0);
    assert.equal((await send(lia)).status, 200);
    assert.equal(await kept(lia), pdf.length);
    app.clock.advance({ hours: 25 });
    await deleteAbandonedDocuments(app.ctx, new Date(app.clock.now().getTime() - 24 * 3_600_000));
    assert.equal(await kept(lia), 0);
  });

  it('in all is told with a code of its own', async () => {
    const zoe = await signedInAccount(app);
    assert.equal(await takeRoom(app.ctx, zoe.id, 6 * pdf.length, { daily: 10 ** 9, total: 10 ** 9 }), 'taken');
    app.clock.advance({ days: 1 });
    const fresh = await signedInAccount(app);
    await app.ctx.db.updateTable('upload_usage').set({ user_id: fresh.id }).where('user_id', '=', zoe.id).execute();
    const answer = await send(fresh);
    assert.deepEqual([answer.status, answer.code], [403, 'document.accountLimitReached']);
  });
});
