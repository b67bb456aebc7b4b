import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import pg from 'pg';
import { mailedKeys } from '../access/signer-links.store.ts';
import type { ChangesBounds } from '../installation/changes.ts';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { sendElectronically, signaturePng, startedProcess, type TestDraft } from '../testing/processes.ts';

const LONG: Partial<ChangesBounds> = { heartbeatMs: 60_000, lifeMs: 60_000 };

/** Server-sent events as a page reads them, over a connection of its own. */
interface Heard {
  status: number;
  code: string | null;
  headers: Headers;
  text(): string;
  changes(): number;
  isOver(): boolean;
  leave(): void;
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let waited = 0; !isSo(); waited += 10) {
    assert.ok(waited < 10_000, what);
    await sleep(10);
  }
}

describe('whoever waits', () => {
  let app: TestApp;
  let other: TestApp;
  let ana: TestAccount;
  let draft: TestDraft;
  let link: string;
  const urls = new Map<TestApp, string>();
  const open: Heard[] = [];

  before(async () => {
    app = await started({ changes: LONG });
    other = await started({ changes: LONG, connection: app.connection });
    ana = await signedInAccount(app);
    draft = await startedProcess(app, ana);
    link = await linkOf(draft.signerIds[0] ?? '');
  });
  after(async () => {
    for (const one of open) one.leave();
    await other.close();
    await app.close();
  });

  async function started(options: Parameters<typeof startTestApp>[0]): Promise<TestApp> {
    // Nodes of one installation share its files.
    const shared = options?.connection ? { config: { dataDir: app.dataDir } } : {};
    const one = await startTestApp({ ...options, ...shared });
    urls.set(one, await one.installation.app.listen({ host: '127.0.0.1', port: 0 }));
    return one;
  }

  const linkOf = async (signerId: string) => (await mailedKeys(app.ctx, [signerId])).get(signerId) ?? assert.fail('no link');
  const signerAt = (processId: string, signerId: string) => `api/signatureStatus/${processId}/${signerId}/changes`;
  const senderAt = (id: string) => `api/signature-processes/${id}/changes`;
  const asAna = () => ({ authorization: `Bearer ${ana.token}` });

  async function listen(at: TestApp, path: string, headers: Record<string, string> = {}): Promise<Heard> {
    const stopped = new AbortController();
    const answer = await fetch(`${urls.get(at)}/${path}`, { headers, signal: stopped.signal });
    let [text, isOver] = ['', false];
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const piece of answer.body ?? []) text += decoder.decode(piece, { stream: true });
    };
    if (answer.ok)
      void read().then(
        () => (isOver = true),
        () => (isOver = true),
      );
    const one: Heard = {
      status: answer.status,
      code: answer.headers.get('x-app-error'),
      headers: answer.headers,
      text: () => text,
      changes: () => text.split('data: changed\n\n').length - 1,
      isOver: () => isOver,
      leave: () => stopped.abort(),
    };
    open.push(one);
    return one;
  }

  const hears = (one: Heard, changes: number) => until(() => one.changes() >= changes, `${changes} changes; ${one.text()}`);
  const isClosed = (at: TestApp, left: number) => until(() => at.ctx.changes.count() === left, `${left} are left`);

  it('is told at once that the server tells, in no proxy’s buffer and in nobody’s cache', async () => {
    const one = await listen(app, senderAt(draft.id), asAna());
    await hears(one, 1);
    assert.equal(one.headers.get('content-type'), 'text/event-stream');
    assert.equal(one.headers.get('cache-control'), 'no-store');
    assert.equal(one.headers.get('x-accel-buffering'), 'no');
    one.leave();
    await isClosed(app, 0);
    // Asks for the head alone, and waits for nothing.
    assert.equal((await fetch(`${urls.get(app)}/${senderAt(draft.id)}`, { method: 'HEAD', headers: asAna() })).status, 200);
    await isClosed(app, 0);
  });

  it('hears at one program of what was done at another, sender and signer alike, and of nothing else', async () => {
    const second = await startedProcess(app, ana);
    const [sender, signer, elsewhere] = await Promise.all([
      listen(app, senderAt(second.id), asAna()),
      listen(other, signerAt(second.id, await linkOf(second.signerIds[0] ?? ''))),
      listen(other, signerAt(draft.id, link)),
    ]);
    await Promise.all([sender, signer, elsewhere].map((one) => hears(one, 1)));
    const heard = [sender.changes(), signer.changes()];
    assert.equal((await sendElectronically(app, second.id, second.signerIds[0] ?? '')).status, 204);
    await Promise.all([hears(sender, (heard[0] ?? 0) + 1), hears(signer, (heard[1] ?? 0) + 1)]);
    const signing = signer.changes();
    await app.runJobs();
    await hears(signer, signing + 2);
    assert.equal(elsewhere.changes(), 1);
    assert.match(signer.text(), /^(data: changed\n\n)+$/);
    for (const one of [sender, signer, elsewhere]) one.leave();
    await Promise.all([isClosed(app, 0), isClosed(other, 0)]);
  });

  it('hears that a telephone has drawn, that a signature failed and that a process is stuck', async () => {
    const one = await listen(other, signerAt(draft.id, link));
    await hears(one, 1);
    const isToldOf = async (what: string, change: () => Promise<unknown>) => {
      const before = one.changes();
      await change();
      await until(() => one.changes() > before, what);
    };
    const params = { signerId: link };
    const awaited = await app.call(api.awaitDrawing, { params, body: { processId: draft.id } });
    const key = new URL(awaited.body.address).hash.replace(/^#(key=)?/, '');
    await isToldOf('a drawing', async () => {
      const { status, raw } = await app.call(api.deliverDrawing, { body: { key, image: signaturePng() } });
      assert.equal(status, 204, raw.body);
    });
    await isToldOf('a problem', () =>
      app.ctx.db.updateTable('signature_process').set({ problem: 'document.tooComplex' }).where('id', '=', draft.id).execute(),
    );
    const attempt = { id: crypto.randomUUID(), signer_id: draft.signerIds[0] ?? '', signature_process_id: draft.id };
    const now = new Date();
    await app.ctx.db
      .insertInto('signing_attempt')
      .values({ ...attempt, kind: 'electronic', state: 'signing', reason: null, created_at: now, updated_at: now })
      .execute();
    await isToldOf('a fault', () =>
      app.ctx.db.updateTable('signing_attempt').set({ state: 'failed', reason: 'signing.failed' }).where('id', '=', attempt.id).execute(),
    );
    one.leave();
  });

  it('is refused as in the call that is polled: without a session, without a link, with another’s, and with one that was replaced', async () => {
    const stranger = await signedInAccount(app);
    const nobody = crypto.randomUUID();
    const third = await startedProcess(app, ana);
    const signerId = third.signerIds[0] ?? '';
    const old = await linkOf(signerId);
    const body = { name: 'Caio Reis', email: 'caio.reis@exemplo.com.br', legalIdentifier: null };
    const corrected = await app.call(api.correctSigner, { token: ana.token, params: { id: third.id, signerId }, body });
    assert.equal(corrected.status, 204, corrected.raw.body);
    const refused = await Promise.all([
      listen(app, senderAt(draft.id)),
      listen(app, senderAt(draft.id), { authorization: `Bearer ${stranger.token}` }),
      listen(app, signerAt(draft.id, nobody)),
      listen(app, signerAt(third.id, link)),
      listen(app, signerAt(third.id, old)),
    ]);
    assert.deepEqual(
      refused.map(({ status, code }) => `${status} ${code}`),
      ['401 request.unauthorized', '404 process.notFound', '404 signer.notFound', '404 signer.notFound', '410 signer.linkReplaced'],
    );
  });

  it('is looked at anew whenever they come again: what is told ends after a while, with signs of life until then', async () => {
    const brief = await started({ changes: { heartbeatMs: 30, lifeMs: 1500 }, connection: app.connection });
    try {
      const one = await listen(brief, signerAt(draft.id, link));
      await until(one.isOver, 'it never ends');
      assert.match(one.text(), /^data: changed\n\n(:\n\n){2,}$/);
      await isClosed(brief, 0);
    } finally {
      await brief.close();
    }
  });

  it('is one of so many: of a process, at an address, in a program; more are refused, and one that left has left room', async () => {
    const bound = async (bounds: Partial<ChangesBounds>, others: string) => {
      const small = await started({ changes: { ...LONG, ...bounds }, connection: app.connection });
      try {
        const first = await listen(small, signerAt(draft.id, link));
        await hears(first, 1);
        const second = await listen(small, others, asAna());
        assert.deepEqual([second.status, second.code], [429, 'request.tooMany']);
        first.leave();
        await isClosed(small, 0);
        assert.equal((await listen(small, others, asAna())).status, 200);
      } finally {
        await small.close();
      }
    };
    const another = await startedProcess(app, ana);
    await bound({ mostOfProcess: 1 }, senderAt(draft.id));
    await bound({ mostOfAddress: 1 }, senderAt(another.id));
    await bound({ mostInProgram: 1 }, senderAt(another.id));
  });

  it('keeps no program from ending, and is cut off in no answer', async () => {
    const leaving = await started({ changes: LONG, connection: app.connection });
    const all = await Promise.all([listen(leaving, signerAt(draft.id, link)), listen(leaving, senderAt(draft.id), asAna())]);
    await Promise.all(all.map((one) => hears(one, 1)));
    const began = performance.now();
    await leaving.close();
    assert.ok(performance.now() - began < 3000, `${Math.round(performance.now() - began)} ms`);
    await until(() => all.every((one) => one.isOver()), 'told on');
  });

  it('is told nothing by a program that hears nothing, until it hears again', async () => {
    const client = new pg.Client(app.connection);
    await client.connect();
    const one = await listen(other, signerAt(draft.id, link));
    await hears(one, 1);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'lavra node'`,
    );
    await until(one.isOver, 'who hears nothing is believed');
    const listenAgain = async (at: TestApp) => {
      let again = await listen(at, signerAt(draft.id, link));
      for (let tries = 0; again.status === 503 && tries < 50; tries += 1) {
        await sleep(100);
        again = await listen(at, signerAt(draft.id, link));
      }
      await hears(again, 1);
      return again;
    };
    // Both lost theirs.
    (await listenAgain(app)).leave();
    await isClosed(app, 0);
    const again = await listenAgain(other);
    await client.query(`select pg_notify('lavra_changed', $1)`, [draft.id]);
    await hears(again, 2);
    again.leave();
    await client.end();
  });

  it('who reads nothing is let go', async () => {
    const events = await app.ctx.changes.follow(draft.id, '192.0.2.7');
    const client = new pg.Client(app.connection);
    await client.connect();
    for (let n = 0; n < 100 && !events.destroyed; n += 1) {
      await client.query(`select pg_notify('lavra_changed', $1)`, [draft.id]);
      await sleep(5);
    }
    await client.end();
    assert.ok(events.destroyed);
    await isClosed(app, 0);
  });

  it('hears again after a time in which nobody was told', async () => {
    const quick = await started({ changes: { heartbeatMs: 20, lifeMs: 60_000 }, connection: app.connection });
    try {
      const one = await listen(quick, signerAt(draft.id, link));
      await hears(one, 1);
      one.leave();
      await isClosed(quick, 0);
      await sleep(100);
      const again = await listen(quick, signerAt(draft.id, link));
      await hears(again, 1);
      await app.ctx.db.updateTable('signature_process').set({ problem: 'process.sealing' }).where('id', '=', draft.id).execute();
      await hears(again, 2);
      again.leave();
    } finally {
      await quick.close();
    }
  });
});
