import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { sql } from 'kysely';
import { processReadings } from '../features/processes/aggregate.store.ts';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createDraft, signaturePng, startedProcess } from '../testing/processes.ts';
import { committedDuring } from '../testing/statements.ts';
import { findCaller } from './callers.store.ts';
import { byId, FirstReading, ReadFirst } from './first-reading.store.ts';
import { mailedKeys } from './signer-links.store.ts';

const titled = new FirstReading((db, { id }: { id: string }) =>
  db.selectFrom('signature_process').select(['id', 'title']).where('id', '=', id),
);

describe('what a call reads first', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  async function askedDuring(act: () => Promise<unknown>): Promise<string[]> {
    const asked: string[] = [];
    await committedDuring(act, (text) => asked.push(text));
    return asked;
  }

  it('is asked by one statement with who makes it, by session or by link', async () => {
    const { id, signerIds } = await startedProcess(app, ana);
    const key = await keyOf(signerIds);
    const bySession = await askedDuring(() => app.call(api.getSubDataProcess, { token: ana.token, params: { processId: id } }));
    const byLink = await askedDuring(() => app.call(api.getRequisitionInformation, { params: { processId: id }, query: { user: key } }));
    for (const [asked, shown] of [
      [bySession, /"the owner"/],
      [byLink, /"the link"/],
    ] as const) {
      const about = asked.filter((text) => /from "signature_process"/.test(text) || shown.test(text));
      assert.equal(about.length, 1, asked.join('\n'));
      assert.match(about[0] ?? '', shown);
    }
  });

  it('is what the database has, or that there is none, whoever comes with it', async () => {
    const { id, signerIds } = await startedProcess(app, ana);
    const key = await keyOf(signerIds);
    const session = await sessionOf(ana);
    const should = await titled.find(app.ctx, { id });
    assert.equal(should?.id, id);
    for (const shown of [
      { session, key: null },
      { session: null, key },
      { session, key },
    ])
      for (const [asked, row] of [[id, should] as const, [randomUUID(), null] as const]) {
        const { owner, link, first } = await findCaller(app.ctx, { ...shown, first: { reading: titled, values: { id: asked } } });
        assert.deepEqual(
          [owner?.userId, link?.signerId],
          [shown.session && ana.id, shown.key && signerIds[0]].map((one) => one ?? undefined),
        );
        const texts = await askedDuring(async () =>
          assert.deepEqual(await titled.find({ ...app.ctx, readFirst: first }, { id: asked }), row),
        );
        assert.deepEqual(texts, []);
      }
  });

  it('is given out once: who looks again, asks for another, or is in a transaction, is told what is so by then', async () => {
    const { id } = await createDraft(app, ana);
    const stale = () => new ReadFirst({ reading: titled, values: { id } }, { id, title: 'so it was' });
    const titleIn = async (ctx: Parameters<typeof titled.find>[0], of = id) => (await titled.find(ctx, { id: of }))?.title;
    const ctx = { ...app.ctx, readFirst: stale() };
    const { title } = await app.ctx.db.selectFrom('signature_process').select('title').where('id', '=', id).executeTakeFirstOrThrow();
    assert.deepEqual([await titleIn(ctx), await titleIn(ctx)], ['so it was', title]);
    const other = await createDraft(app, ana);
    assert.notEqual(await titleIn({ ...app.ctx, readFirst: stale() }, other.id), 'so it was');
    const within = { ...app.ctx, readFirst: stale() };
    assert.equal(await within.transaction((tx) => titleIn(tx)), title);
  });

  it('is nothing where no id stands: the call refuses what was sent, and no database was asked for it', async () => {
    const ahead = byId(titled, 'body.signer.signatureProcess.id');
    const sent = (body: unknown) => ahead.askedBy({ ctx: app.ctx, userId: ana.id, isByLink: false, sent: { params: {}, query: {}, body } });
    for (const body of [
      undefined,
      null,
      'x',
      { signer: null },
      { signer: { signatureProcess: { id: 7 } } },
      { signer: { signatureProcess: { id: `'` } } },
    ])
      assert.equal(sent(body), null);
    const id = randomUUID();
    assert.deepEqual(sent({ signer: { signatureProcess: { id } } })?.values, { id });
  });

  it('is not read for who is not let in', async () => {
    const { id } = await startedProcess(app, ana);
    const session = { id: randomUUID(), userId: ana.id };
    const { owner, first } = await findCaller(app.ctx, { session, key: null, first: { reading: titled, values: { id } } });
    assert.deepEqual([owner, first], [null, null]);
  });

  it('is planned once in a connection, with who makes the call as by itself', async () => {
    const { id } = await startedProcess(app, ana);
    const prepared = () => sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(app.ctx.db);
    // One after the other they are asked over the same connection.
    const asked = await askedDuring(() => app.call(api.getSubDataProcess, { token: ana.token, params: { processId: id } }));
    asked.push(...(await askedDuring(() => processReadings.facts.find(app.ctx, { id }))));
    const known = new Set((await prepared()).rows.map(({ statement }) => statement));
    const about = asked.filter((text) => /from "signature_process"/.test(text));
    assert.deepEqual([about.length, about.filter((text) => !known.has(text))], [2, []]);
    // As client.ts tells what only reads, and may be asked again where its connection was lost.
    assert.ok(about.every((text) => /^\s*select\b/.test(text)));
  });

  it('is not what stood before an act of the call itself: who signs as an account is handed their link first, and acts on what is so by then', async () => {
    const bia = await signedInAccount(app);
    const { id, signerIds } = await startedProcess(app, ana, { signers: [{ name: 'Bia Lima', email: bia.email }] });
    const key = await keyOf(signerIds);
    const { body: seen } = await app.call(api.getRequisitionInformation, { params: { processId: id }, query: { user: key } });
    const alone: string[] = [];
    const act = async () => {
      const { status } = await app.call(api.initEletronicSignature, {
        token: bia.token,
        body: {
          processId: id,
          cpf: '529.982.247-25',
          name: 'Bia Lima',
          consentHash: seen.consent.hash,
          signatureEvidence: {
            ip: null,
            latitude: null,
            longitude: null,
            accuracy: null,
            signatureImage: signaturePng(),
            signatureImageContentType: 'image/png',
          },
        },
      });
      assert.equal(status, 204);
    };
    const committed = await committedDuring(act, (text) => alone.push(text));
    // On what is older it is refused, and done once more under the lock.
    const opens = (text: string) => /insert into "signing_attempt"/.test(text);
    assert.deepEqual([alone.filter(opens).length, committed.flat().filter(opens).length], [1, 0]);
  });

  const keyOf = async (signerIds: readonly string[]) => [...(await mailedKeys(app.ctx, signerIds)).values()][0] ?? assert.fail('no link');

  async function sessionOf({ id: userId }: TestAccount) {
    const row = await app.ctx.db.selectFrom('session').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow();
    return { id: row.id, userId };
  }
});
