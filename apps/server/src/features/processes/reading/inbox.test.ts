import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { type Kysely, sql } from 'kysely';
import { up as bindEarlierSigners } from '../../../db/migrations/023-bound-signers.ts';
import { signedInAccount, signIn, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, signElectronically, startedProcess } from '../../../testing/processes.ts';
import { bindSigners } from '../life/bind-signers.ts';

let app: TestApp;
let ana: TestAccount;
let addresses = 0;
const password = 'Tinteiro7';
const newAddress = () => `convidada${(addresses += 1)}@exemplo.com.br`;

// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('inbox', () => {
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
  });
  after(() => app.close());

  async function receivedBy(token: string): Promise<string[]> {
    const { body } = await app.call(api.getProcessesInfos, { token, query: { sortReceived: 'true' } });
    const { body: counters } = await app.call(api.getCounterInfos, { token });
    assert.equal(counters.received, body.total);
    return body.signatureProcesses.map(({ id }) => id);
  }

  const inviting = (email: string) => startedProcess(app, ana, { signers: [{ name: 'Bia Lima', email }] });
  const moveAddress = (account: { email: string }, email: string) =>
    app.ctx.db.updateTable('app_user').set({ email, login: email }).where('email', '=', account.email).execute();

  describe('what somebody was asked to sign', () => {
    it('is theirs from the invitation on, when the address is a confirmed account’s', async () => {
      const bia = await signedInAccount(app, { email: newAddress() });
      const { id } = await inviting(bia.email);
      assert.deepEqual(await receivedBy(bia.token), [id]);
      const { body } = await app.call(api.getSubDataProcess, { token: bia.token, params: { processId: id } });
      assert.deepEqual([body.signers[0]?.isCurrentUser, body.currentIsOwner], [true, false]);
    });

    it('is theirs from the activation on, when they had no account', async () => {
      const email = newAddress();
      const { id } = await inviting(email);
      const bia = await signedInAccount(app, { email });
      assert.deepEqual(await receivedBy(bia.token), [id]);
    });

    it('is theirs from a sign-in on, when a node that knew of no binding invited them', async () => {
      const bia = await signedInAccount(app, { email: newAddress() });
      const { id } = await inviting(bia.email);
      await app.ctx.db.updateTable('signer').set({ user_id: null }).where('signature_process_id', '=', id).execute();
      assert.deepEqual(await receivedBy(bia.token), []);
      assert.deepEqual(await receivedBy(await signIn(app, bia)), [id]);
    });

    it('is nobody’s while nobody has shown the address to be theirs', async () => {
      const email = newAddress();
      await app.call(api.register, { body: { email, login: email, firstName: 'Quem Sabe', password, langKey: 'pt-br' } });
      const { id } = await inviting(email);
      const row = await app.ctx.db.selectFrom('signer').select('user_id').where('signature_process_id', '=', id).executeTakeFirstOrThrow();
      assert.equal(row.user_id, null);
    });

    it('stays where it is when the e-mail changes, and whoever takes the old address gets nothing', async () => {
      const bia = await signedInAccount(app, { email: newAddress() });
      const { id } = await inviting(bia.email);
      const changed = newAddress();
      await moveAddress(bia, changed);
      const heir = await signedInAccount(app, { email: bia.email });
      assert.deepEqual(await receivedBy(heir.token), []);
      for (const call of [api.getSubDataProcess, api.getCurrentLinkSignature, api.getDownloadItems] as const)
        assert.equal((await app.call(call, { token: heir.token, params: { processId: id } })).code, 'process.notFound');
      assert.deepEqual(await receivedBy(bia.token), [id]);
      const { body } = await app.call(api.getCurrentLinkSignature, {
        token: await signIn(app, { ...bia, email: changed }),
        params: { processId: id },
      });
      assert.ok(body.link.includes(id));
    });

    it('is opened by a link that the log tells of once, however often they ask for it', async () => {
      const bia = await signedInAccount(app, { email: newAddress() });
      const { id } = await inviting(bia.email);
      const links = [];
      for (let asked = 0; asked < 3; asked += 1)
        links.push((await app.call(api.getCurrentLinkSignature, { token: bia.token, params: { processId: id } })).body.link);
      assert.equal(new Set(links).size, 1);
      const told = await app.ctx.db
        .selectFrom('event')
        .select('seq')
        .where('signature_process_id', '=', id)
        .where('type', '=', 'link.handedOut')
        .execute();
      assert.equal(told.length, 1);
    });

    it('goes to whoever has the address when their turn comes', async () => {
      const [first, second] = [newAddress(), newAddress()];
      const bia = await signedInAccount(app, { email: second });
      const { id, signerIds } = await startedProcess(app, ana, {
        signers: [
          { name: 'Caio Reis', email: first },
          { name: 'Bia Lima', email: second },
        ],
      });
      await signIn(app, bia);
      await moveAddress(bia, newAddress());
      const heir = await signedInAccount(app, { email: second });
      assert.deepEqual(await receivedBy(heir.token), []);
      await signElectronically(app, id, signerIds[0] ?? '', { name: 'Caio Reis' });
      assert.deepEqual([await receivedBy(heir.token), await receivedBy(bia.token)], [[id], []]);
    });

    it('is not lost between an invitation and an activation of the same moment', async () => {
      const email = newAddress();
      await app.call(api.register, { body: { email, login: email, firstName: 'Bia Lima', password, langKey: 'pt-br' } });
      const { id } = await createDraft(app, ana, { signers: [{ name: 'Bia Lima', email }] });
      await app.call(api.startSignatureProcess, { token: ana.token, params: { id } });
      const [held, waitedFor] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const activating = app.ctx.transaction(async (tx) => {
        // As an activation does it: the account is held, looks for its signers, and has not ended yet.
        const account = await tx.db.selectFrom('app_user').select('id').where('email', '=', email).forUpdate().executeTakeFirstOrThrow();
        await tx.db.updateTable('app_user').set({ activated: true }).where('id', '=', account.id).execute();
        await bindSigners(tx, { userId: account.id, email });
        held.resolve();
        await waitedFor.promise;
        return account.id;
      });
      await held.promise;
      const invited = app.runJobs();
      for (let tries = 0; tries < 500 && (await waitersForLocks()) === 0; tries += 1) await sleep(20);
      waitedFor.resolve();
      const userId = await activating;
      await invited;
      const row = await app.ctx.db.selectFrom('signer').select('user_id').where('signature_process_id', '=', id).executeTakeFirstOrThrow();
      assert.equal(row.user_id, userId);
    });

    it('is opened by a signer’s link alone for that process, whoever is signed in beside it; a file given so is noted with the account', async () => {
      const [one, other] = [await inviting(newAddress()), await inviting(newAddress())];
      const user = one.signerIds[0] ?? '';
      const stranger = await signedInAccount(app);
      const ask = (draft: { id: string }, token?: string) =>
        app.call(api.getDownloadItems, { ...(token === undefined ? {} : { token }), params: { processId: draft.id }, query: { user } });
      for (const token of [undefined, ana.token, stranger.token]) {
        assert.equal((await ask(one, token)).status, 200);
        assert.equal((await ask(other, token)).code, 'process.notFound');
      }
      assert.equal((await app.call(api.getDownloadItems, { token: ana.token, params: { processId: other.id } })).status, 200);
      const document = one.documentIds[0] ?? '';
      await app.call(api.downloadOriginal, { token: stranger.token, params: { id: document }, query: { user } });
      const row = await app.ctx.db
        .selectFrom('audit_event')
        .select('account_id')
        .where('kind', '=', 'download')
        .where('subject_id', '=', document)
        .executeTakeFirstOrThrow();
      assert.equal(row.account_id, stranger.id);
    });

    it('is found by one index, however many signers there are', async () => {
      const bia = await signedInAccount(app, { email: newAddress() });
      const plan = await app.ctx.transaction(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx.db);
        const { rows } = await sql<{
          'QUERY PLAN': string;
        }>`explain
          select signature_process_id from listed_process where user_id = ${bia.id} and sets = 6
          order by created_at desc, signature_process_id desc limit 10`.execute(tx.db);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      assert.match(plan, /listed_process_created/);
      assert.doesNotMatch(plan, /Sort/);
    });

    it('is found for those who were invited before signers were bound', async () => {
      const bia = await signedInAccount(app, { email: newAddress() });
      const unconfirmed = newAddress();
      const { id } = await inviting(bia.email);
      await app.call(api.register, {
        body: { email: unconfirmed, login: unconfirmed, firstName: 'Quem Sabe', password, langKey: 'pt-br' },
      });
      const { id: other } = await inviting(unconfirmed);
      await sql`alter table signer drop column user_id`.execute(app.ctx.db);
      await bindEarlierSigners(app.ctx.db as Kysely<unknown>);
      assert.deepEqual(await receivedBy(bia.token), [id]);
      const row = await app.ctx.db
        .selectFrom('signer')
        .select('user_id')
        .where('signature_process_id', '=', other)
        .executeTakeFirstOrThrow();
      assert.equal(row.user_id, null);
    });
  });

  async function waitersForLocks(): Promise<number> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(
      app.ctx.db,
    );
    return Number(rows[0]?.waiting);
  }
});
