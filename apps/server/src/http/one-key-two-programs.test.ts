import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signIn } from '../testing/accounts.ts';
import type { Passing } from '../testing/database-door.ts';
import { samplePdf, soon, upload } from '../testing/processes.ts';
import { startTwoPrograms, type TwoPrograms, whileHeld } from '../testing/two-programs.ts';

const ana = { login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', firstName: 'Ana', password: 'Segredo123' };
const eva = { login: 'eva@exemplo.com.br', email: 'eva@exemplo.com.br', firstName: 'Eva', password: 'Segredo123' };

describe('one Idempotency-Key at two programs', () => {
  let two: TwoPrograms;
  let token: string;
  let other: string;
  before(async () => {
    two = await startTwoPrograms();
    for (const body of [ana, eva]) await two.at(0).call(api.register, { body });
    await two.rows('update app_user set activated = true');
    token = await signIn(two.at(0), ana);
    other = await signIn(two.at(1), eva);
  });
  afterEach(() => two.startAgain(0));
  after(() => two[Symbol.asyncDispose]());

  const newKey = () => ({ 'idempotency-key': crypto.randomUUID() });
  const notesAnswer = ({ text }: Passing) => text.startsWith('update "idempotency_key" set "reply"');
  const begin = (index: 0 | 1, title: string, id: string, headers: Record<string, string>, by = token) =>
    two.at(index).call(api.createSignatureProcess, {
      token: by,
      headers,
      body: { title, dueDate: null, reminderIn: null, type: 'ELETRONIC_SIGNATURE', files: [{ id }], geolocation: 'optional' },
    });
  const send = (index: 0 | 1, headers: Record<string, string>, bytes: Buffer, by = token) =>
    upload(two.at(index), by, [{ name: 'contrato.pdf', bytes }], headers);
  interface Part {
    bytes: Buffer;
    continues?: string;
    from?: number;
  }
  /** With the fields that go before a file. */
  function sendForm(index: 0 | 1, url: string, files: readonly Part[], headers: Record<string, string>) {
    const boundary = 'a-boundary-that-no-file-holds';
    const field = (name: string, value: string | number | undefined) =>
      value === undefined ? '' : `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="contrato.pdf"\r\ncontent-type: application/pdf\r\n\r\n`;
    const parts = files.flatMap(({ bytes, continues, from }) => [
      Buffer.from(`${field('continues', continues)}${field('from', from)}${head}`),
      bytes,
      Buffer.from('\r\n'),
    ]);
    const sent = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers };
    const payload = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
    return two.at(index).inject({ method: 'POST', url, headers: sent, payload });
  }
  /** A program that was killed is known to be dead when the database has seen its session end. */
  async function sentSoon<Answer extends { code: string | null | undefined }>(sendAgain: () => Promise<Answer>): Promise<Answer> {
    const until = Date.now() + 5000;
    for (let answer = await sendAgain(); ; answer = await sendAgain())
      if (answer.code !== 'request.conflict' || Date.now() > until) return answer;
  }
  const document = async () => (await send(0, {}, await samplePdf())).body[0]?.id ?? assert.fail();
  const drafts = async (title: string) => (await two.rows('select 1 from signature_process where title = $1', [title])).length;
  const documents = async () => (await two.rows<{ n: number }>('select count(*)::int as n from document'))[0]?.n ?? 0;
  /** Of the accounts' room is taken what their documents are. */
  const room = async () => (await two.rows<{ n: number }>('select sum(total_bytes)::int as n from upload_usage'))[0]?.n;
  const size = async () => (await two.rows<{ n: number }>('select sum(size)::int as n from document'))[0]?.n;

  it('creates one process: at both at once, and again after the one that committed was killed before it answered', async () => {
    const [key, id] = [newKey(), await document()];
    const [first, second] = await Promise.all([begin(0, 'Um', id, key), begin(1, 'Um', id, key)]);
    assert.deepEqual([first.status, second.body, await drafts('Um')], [200, first.body, 1]);
    const [lost, next] = [newKey(), await document()];
    const noting: number[] = [];
    two.doors[0].muteNext((statement) => {
      if (notesAnswer(statement)) noting.push(statement.connection);
      return statement.text === 'commit' && noting.includes(statement.connection);
    });
    const unanswered = begin(0, 'Dois', next, lost).catch(() => 'no answer');
    await soon('committed', async () => (await drafts('Dois')) === 1);
    // One that was quicker than the kill waits for nothing either: its answer stands with its act.
    await two.kill(0);
    assert.equal(await unanswered, 'no answer');
    const again = await begin(1, 'Dois', next, lost);
    const [kept] = await two.rows<{ id: string }>('select id from signature_process where title = $1', ['Dois']);
    assert.deepEqual([again.status, again.body.id, await drafts('Dois')], [200, kept?.id, 1]);
    assert.equal((await begin(1, 'Três', next, lost)).code, 'request.idempotencyMismatch');
    assert.deepEqual([(await begin(1, 'Dois', next, lost, other)).status === 200, await drafts('Dois')], [false, 1]);
  });

  it('keeps an upload once: at both at once, of two accounts each its own', async () => {
    const [key, bytes, before] = [newKey(), await samplePdf(), await documents()];
    const answers = await Promise.all([send(0, key, bytes), send(1, key, bytes)]);
    for (const { status, code } of answers) assert.ok(status === 200 || code === 'request.conflict', code);
    const again = await send(1, key, bytes);
    assert.deepEqual(again.body, answers.find(({ status }) => status === 200)?.body);
    assert.equal(await documents(), before + 1);
    assert.equal((await send(1, key, bytes, other)).status, 200);
    assert.equal(await documents(), before + 2);
  });

  it('keeps an upload once whose program was killed before its answer was noted: who comes again has the same document as soon as the program is gone', async () => {
    const [key, bytes, before] = [newKey(), await samplePdf(), await documents()];
    const { promise: isThere, resolve: there } = Promise.withResolvers<void>();
    two.doors[0].holdNext(notesAnswer, () => (there(), new Promise(() => {})));
    const unanswered = send(0, key, bytes).catch(() => 'no answer');
    await isThere;
    await two.kill(0);
    assert.equal(await unanswered, 'no answer');
    const again = await sentSoon(() => send(1, key, bytes));
    const [newest] = await two.rows<{ id: string }>('select id from document order by created_at desc limit 1');
    assert.deepEqual([again.status, again.body[0]?.id, await documents()], [200, newest?.id, before + 1]);
    assert.deepEqual((await send(1, key, bytes)).body, again.body);
  });

  it('leaves an upload to the program that is at it: also where another one was killed', async () => {
    const [key, bytes, before] = [newKey(), await samplePdf(), await documents()];
    const [first] = await whileHeld(
      two.doors[1],
      ({ text }) => text.includes('"received" as ('),
      () => send(1, key, bytes),
      async () => {
        await two.kill(0);
        await two.startAgain(0);
        for (let n = 0; n < 5; n += 1) assert.equal((await send(0, key, bytes)).code, 'request.conflict');
      },
    );
    assert.deepEqual([first.status, await documents()], [200, before + 1]);
    assert.deepEqual((await send(0, key, bytes)).body, first.body);
  });

  it('keeps an upload once whose program lost its database for a moment, and was taken for dead', async () => {
    const [key, bytes, before] = [newKey(), await samplePdf(), await documents()];
    const [first, second] = await whileHeld(
      two.doors[0],
      ({ text }) => text.includes('"received" as ('),
      () => send(0, key, bytes),
      async () => {
        assert.equal((await send(1, key, bytes)).code, 'request.conflict');
        await two.rows(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lavra node'`);
        return sentSoon(() => send(1, key, bytes));
      },
    );
    assert.equal(second.status, 200);
    assert.ok(first.status === 200 ? first.body[0]?.id === second.body[0]?.id : first.code === 'request.conflict', first.raw.body);
    assert.equal(await documents(), before + 1);
    const marks = `select from pg_locks where locktype = 'advisory' and classid = (hashtext('lavra:marks')::bigint & 4294967295)::oid`;
    await soon('both bear a mark again', async () => (await two.rows(marks)).length === 2);
  });

  it('keeps an upload once that was under way for so long that another took it for dead', async () => {
    const [key, bytes, before] = [newKey(), await samplePdf(), await documents()];
    const [first, second] = await whileHeld(
      two.doors[0],
      ({ text }) => text.includes('"received" as ('),
      () => send(0, key, bytes),
      async () => {
        await two.rows(`update idempotency_key set created_at = created_at - interval '3 minutes' where reply is null`);
        return send(1, key, bytes);
      },
    );
    assert.equal(second.status, 200);
    assert.ok(first.status === 200 ? first.body[0]?.id === second.body[0]?.id : first.code === 'request.conflict', first.raw.body);
    assert.equal(await documents(), before + 1);
    assert.deepEqual((await send(0, key, bytes)).body, second.body);
  });

  it('takes no room for what is kept once', async () => {
    assert.equal(await room(), await size());
  });

  it('gives no document for another file than it stands for', async () => {
    const [key, before] = [newKey(), await documents()];
    assert.equal((await send(0, key, await samplePdf(1))).status, 200);
    assert.equal((await send(1, key, await samplePdf(3))).code, 'request.idempotencyMismatch');
    assert.equal((await send(1, key, Buffer.alloc(30 * 1024 * 1024, 'x'))).code, 'request.idempotencyMismatch');
    assert.equal(await documents(), before + 1);
  });

  it('keeps each file of an upload once whose program was killed between two of them, also one that came in pieces', async () => {
    const [key, before, uploadId] = [newKey(), await documents(), crypto.randomUUID()];
    const [one, two_] = [await samplePdf(1), await samplePdf(2)];
    const half = Math.floor(one.length / 2);
    const send = (index: 0 | 1, files: readonly Part[], path = '/api/documents') => sendForm(index, path, files, key);
    const piece = { bytes: one.subarray(0, half) };
    assert.equal((await send(0, [piece], `/api/uploads/${uploadId}?from=0`)).statusCode, 200);
    const files = [{ bytes: one.subarray(half), continues: uploadId, from: half }, { bytes: two_ }];
    let kept = 0;
    const { promise: isThere, resolve: there } = Promise.withResolvers<void>();
    two.doors[0].holdNext(
      ({ text }) => text.includes('"received" as (') && (kept += 1) === 2,
      () => (there(), new Promise(() => {})),
    );
    const unanswered = send(0, files).catch(() => 'no answer');
    await isThere;
    await two.kill(0);
    assert.equal(await unanswered, 'no answer');
    assert.equal(await documents(), before + 1);
    // Its pieces have become the document; whoever asks how far it came sends all of it.
    await soon('done again', async () => (await send(1, [{ bytes: one }, { bytes: two_ }])).statusCode === 200);
    assert.equal(await documents(), before + 2);
  });
});
