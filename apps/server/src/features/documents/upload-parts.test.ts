import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { connect, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import fc from 'fast-check';
import { signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { samplePdf } from '../../testing/processes.ts';
import { recountRoom } from './documents.store.ts';
import { removeOldParts } from './upload-parts.store.ts';

const BOUNDARY = 'a-boundary-that-no-file-holds';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A form as a browser sends it. */
function form(bytes: Buffer, fields: Record<string, string> = {}): Buffer {
  const before = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${before.join('')}--${BOUNDARY}\r\ncontent-disposition: form-data; name="files"; filename="contrato.pdf"\r\ncontent-type: application/pdf\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

describe('an upload that broke off', () => {
  let app: TestApp;
  let ana: TestAccount;
  let port = 0;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
    await app.installation.app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.installation.app.server.address() as AddressInfo).port;
  });
  after(() => app.close());

  /** Over a connection of its own, which ends after `cut` bytes of the body: then nobody answers. */
  function send(path: string, body: Buffer, { cut, token = ana.token }: { cut?: number; token?: string } = {}) {
    return new Promise<{ status: number; body: Record<string, unknown> } | null>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let heard = '';
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      if (cut === undefined) socket.write(body);
      else socket.write(body.subarray(0, cut), () => socket.destroy());
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      socket.on('error', () => {});
      socket.on('close', () => {
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1]);
        const json = heard.slice(heard.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, '');
        resolve(cut === undefined ? { status, body: JSON.parse(json === '' ? 'null' : json) as Record<string, unknown> } : null);
      });
    });
  }

  const partPath = (uploadId: string, from: number) => `/api/uploads/${uploadId}?from=${from}`;
  async function received(uploadId: string, token = ana.token): Promise<number> {
    return (await app.call(api.findUpload, { token, params: { uploadId } })).body.received;
  }
  const roomOf = async ({ id }: TestAccount) =>
    Number(
      (await app.ctx.db.selectFrom('upload_usage').select('total_bytes').where('user_id', '=', id).executeTakeFirst())?.total_bytes ?? 0,
    );

  it('goes on where it stopped, however often and wherever the connection is cut, and is the file that was sent', async () => {
    const pdf = await samplePdf();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60_000 }),
        fc.array(fc.record({ size: fc.integer({ min: 1, max: 30_000 }), cut: fc.option(fc.double({ min: 0, max: 0.99, noNaN: true })) }), {
          maxLength: 8,
        }),
        async (more, tries) => {
          const file = Buffer.concat([pdf, Buffer.from(`% ${randomBytes(more).toString('hex').slice(0, more)}\n`)]);
          const uploadId = randomUUID();
          let kept = 0;
          for (const { size, cut } of tries) {
            const from = await received(uploadId);
            assert.equal(from, kept, 'a piece that broke off is not kept, and none that was answered is lost');
            const body = form(file.subarray(from, Math.min(from + size, file.length - 1)));
            if (from + 1 >= file.length) break;
            const answer = await send(partPath(uploadId, from), body, cut === null ? {} : { cut: Math.floor(body.length * cut) });
            if (!answer) continue;
            assert.equal(answer.status, 200);
            kept = Math.min(from + size, file.length - 1);
            assert.equal(answer.body['received'], kept);
          }
          const before = await roomOf(ana);
          const last = await send('/api/documents', form(file.subarray(kept), { continues: uploadId, from: String(kept) }));
          assert.ok(last?.status === 200, JSON.stringify(last?.body));
          const [document] = last.body as unknown as api.UploadedDocument[];
          assert.deepEqual([document?.hash, document?.size], [sha256(file), file.length]);
          assert.equal(await roomOf(ana), before + file.length - kept, 'its pieces have taken their room already');
          assert.equal(await received(uploadId), 0);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('takes no piece twice, none out of its place, and the last one only behind what it was cut off from', async () => {
    const [one, uploadId] = [await samplePdf(), randomUUID()];
    const first = form(one.subarray(0, 500));
    const twice = await Promise.all([send(partPath(uploadId, 0), first), send(partPath(uploadId, 0), first)]);
    assert.deepEqual(
      twice.map((answer) => answer?.body['received']),
      [500, 500],
    );
    for (const from of [0, 499, 501, 5000]) assert.equal((await send(partPath(uploadId, from), first))?.body['received'], 500);
    for (const from of ['499', '501', 'x']) {
      const refused = await send('/api/documents', form(one.subarray(500), { continues: uploadId, from }));
      assert.deepEqual([refused?.status, refused?.body['title']], [400, 'request.invalid'], from);
    }
    assert.equal((await send('/api/documents', form(one.subarray(500), { continues: uploadId, from: '500' })))?.status, 200);
  });

  it("is its sender's alone, and another's under the same id is another upload", async () => {
    const [bia, uploadId] = [await signedInAccount(app), randomUUID()];
    await send(partPath(uploadId, 0), form(Buffer.alloc(700)));
    assert.equal(await received(uploadId, bia.token), 0);
    const refused = await send('/api/documents', form(Buffer.alloc(10), { continues: uploadId, from: '700' }), { token: bia.token });
    assert.equal(refused?.status, 400);
    assert.equal((await send(partPath(uploadId, 0), form(Buffer.alloc(300)), { token: bia.token }))?.body['received'], 300);
    assert.deepEqual([await received(uploadId), await received(uploadId, bia.token)], [700, 300]);
  });

  it('is held to what a piece and a file may be, and to the room of its account, before it is kept', async () => {
    const [rui, uploadId] = [await signedInAccount(app), randomUUID()];
    const tooLarge = await send(partPath(uploadId, 0), form(Buffer.alloc(limits.uploadPartBytes + 1)), { token: rui.token });
    assert.deepEqual([tooLarge?.status, tooLarge?.body['title']], [413, 'document.tooLarge']);
    assert.deepEqual(tooLarge?.body['params'], { name: 'contrato.pdf', megabytes: limits.uploadPartBytes / 1024 / 1024 });
    const full = app.ctx.config.maxAccountBytes - 100;
    await app.ctx.db.insertInto('upload_usage').values({ user_id: rui.id, day: '2020-01-01', day_bytes: 0, total_bytes: full }).execute();
    const refused = await send(partPath(uploadId, 0), form(Buffer.alloc(101)), { token: rui.token });
    assert.equal(refused?.body['title'], 'document.accountLimitReached');
    assert.equal((await send(partPath(uploadId, 0), form(Buffer.alloc(100)), { token: rui.token }))?.body['received'], 100);
  });

  it('becomes one document, however many requests end it at one moment, and that takes the room of all of its bytes', async () => {
    const [lia, pdf] = [await signedInAccount(app), await samplePdf()];
    const uploadId = randomUUID();
    await send(partPath(uploadId, 0), form(pdf.subarray(0, 900)), { token: lia.token });
    const end = (tail: string, fields: Record<string, string> = { continues: uploadId, from: '900' }) =>
      send('/api/documents', form(Buffer.concat([pdf.subarray(900), Buffer.from(tail)]), fields), { token: lia.token });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => end(`% ${n % 2}\n`)));
    assert.deepEqual(
      answers.map((answer) => answer?.status).toSorted((a = 0, b = 0) => a - b),
      [200, 400, 400, 400, 400, 400],
    );
    const kept = await app.ctx.db.selectFrom('document').select('size').where('owner_id', '=', lia.id).execute();
    assert.deepEqual([kept.length, kept[0]?.size], [1, await roomOf(lia)]);
  });

  it('is one file: other last bytes are no way to have its pieces stored once more', async () => {
    const [nei, uploadId] = [await signedInAccount(app), randomUUID()];
    await send(partPath(uploadId, 0), form(randomBytes(5000)), { token: nei.token });
    const last = { continues: uploadId, from: '5000' };
    const blobs = async () =>
      Number(
        (
          await app.ctx.db
            .selectFrom('blob')
            .select(({ fn }) => fn.countAll().as('n'))
            .executeTakeFirst()
        )?.n,
      );
    const before = await blobs();
    const told = [];
    for (const tail of ['0', '0', '1', '2'])
      told.push((await send('/api/documents', form(Buffer.from(tail), last), { token: nei.token }))?.body['title']);
    assert.deepEqual(told, ['document.notPdf', 'document.notPdf', 'request.invalid', 'request.invalid']);
    assert.equal(await blobs(), before + 1);
    const twice = form(Buffer.from('0'), last);
    const end = Buffer.from(`--${BOUNDARY}--\r\n`);
    const both = Buffer.concat([twice.subarray(0, twice.length - end.length), twice]);
    assert.deepEqual((await send('/api/documents', both, { token: nei.token }))?.body['title'], 'request.invalid');
  });

  it('has nothing of a piece that was left behind a gap', async () => {
    const [uli, uploadId] = [await signedInAccount(app), randomUUID()];
    for (const from of [0, 1000]) await send(partPath(uploadId, from), form(Buffer.alloc(1000)), { token: uli.token });
    const first = app.ctx.db.updateTable('upload_part').where('upload_id', '=', uploadId).where('start', '=', 0);
    await first.set({ created_at: new Date(app.clock.now().getTime() - limits.uploadResumeHours * 3_600_000 - 1) }).execute();
    assert.equal(await received(uploadId, uli.token), 0);
    assert.equal((await send(partPath(uploadId, 0), form(Buffer.alloc(300)), { token: uli.token }))?.body['received'], 300);
    assert.deepEqual([await received(uploadId, uli.token), await roomOf(uli)], [300, 300]);
  });

  it('keeps its room when what accounts keep is counted anew', async () => {
    const [ivo, uploadId] = [await signedInAccount(app), randomUUID()];
    await send(partPath(uploadId, 0), form(Buffer.alloc(800)), { token: ivo.token });
    await app.ctx.db.updateTable('upload_usage').set({ day: '2020-01-01', total_bytes: 5000 }).where('user_id', '=', ivo.id).execute();
    await recountRoom(app.ctx);
    assert.equal(await roomOf(ivo), 800);
  });

  it('comes in a thousand pieces at most', async () => {
    const uploadId = randomUUID();
    const pieces = Array.from({ length: limits.uploadPartsMost - 1 }, (_, start) => ({
      owner_id: ana.id,
      upload_id: uploadId,
      start,
      size: 1,
      blob_hash: 'x',
      created_at: app.clock.now(),
    }));
    await app.ctx.db.insertInto('upload_part').values(pieces).execute();
    const last = await send(partPath(uploadId, limits.uploadPartsMost - 1), form(Buffer.alloc(1)));
    assert.equal(last?.body['received'], limits.uploadPartsMost);
    const refused = await send(partPath(uploadId, limits.uploadPartsMost), form(Buffer.alloc(1)));
    assert.deepEqual([refused?.status, refused?.body['title']], [400, 'request.invalid']);
  });

  it('waits for half a day; what has come is forgotten then, and the room that it took is free again', async () => {
    const [eva, uploadId] = [await signedInAccount(app), randomUUID()];
    assert.equal((await send(partPath(uploadId, 0), form(Buffer.alloc(900)), { token: eva.token }))?.body['received'], 900);
    app.clock.advance({ hours: limits.uploadResumeHours, seconds: 1 });
    eva.token = await signIn(app, eva);
    assert.equal(await received(uploadId, eva.token), 0);
    assert.equal((await send(partPath(uploadId, 0), form(Buffer.alloc(400)), { token: eva.token }))?.body['received'], 400);
    assert.equal(await roomOf(eva), 400);
    app.clock.advance({ days: 1, seconds: 1 });
    await removeOldParts(app.ctx, new Date(app.clock.now().getTime() - 86_400_000));
    assert.equal(await roomOf(eva), 0);
    ana.token = await signIn(app, ana);
  });
});
