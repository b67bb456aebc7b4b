import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { recordAudit } from '../../audit/audit.store.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

describe('the security log, as administrators read it', () => {
  let app: TestApp;
  let admin: TestAccount;
  let bia: TestAccount;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app, { firstName: 'Alda' });
    bia = await signedInAccount(app, { firstName: 'Béatriz', email: 'bia@exemplo.com.br' });
  });
  after(() => app.close());

  const list = async (query: NonNullable<Parameters<typeof ask>[0]>) => (await ask(query)).body;
  const ask = (query: Record<string, string | number>, token: string | undefined = admin.token) =>
    app.call(api.listAuditEvents, { token, query: query as never });

  it('tells what accounts and administrators do, newest first, by name, and neither CPF nor secret', async () => {
    await app.call(api.authenticate, { body: { username: bia.email, password: 'Errada-99x' } });
    await app.call(api.deactivateUser, { token: admin.token, params: { id: bia.id } });
    await app.call(api.reactivateUser, { token: admin.token, params: { id: bia.id } });
    const { items } = await list({ query: 'beatriz' });
    const told = items.map(({ kind, outcome, account, subjectAccount }) => [kind, outcome, account?.name, subjectAccount?.email ?? null]);
    assert.deepEqual(told.slice(0, 3), [
      ['account.reactivated', 'success', 'Alda', bia.email],
      ['account.deactivated', 'success', 'Alda', bia.email],
      ['session.opened', 'refused', 'Béatriz', null],
    ]);
    assert.ok(told.some(([kind]) => kind === 'account.registered'));
    assert.ok(!(await ask({})).raw.body.includes(bia.password));
    assert.equal(items[2]?.reason, 'account.wrongPassword');
  });

  it('is searched by person, by id, by kind, by outcome and by period, page by page', async () => {
    app.clock.advance({ minutes: 5 });
    const process = crypto.randomUUID();
    for (const reason of ['original', 'signed'])
      await recordAudit(app.ctx, { kind: 'download', outcome: 'success', reason, accountId: bia.id, subjectId: process });
    const reasons = async (query: Record<string, string | number>) => (await list(query)).items.map(({ reason }) => reason);
    assert.deepEqual(await reasons({ query: process }), ['signed', 'original']);
    assert.deepEqual(await reasons({ kind: 'download' }), ['signed', 'original']);
    assert.deepEqual(await reasons({ kind: 'download', size: 1, page: 1 }), ['original']);
    assert.equal((await list({ kind: 'download', size: 1 })).total, 2);
    assert.deepEqual(await reasons({ outcome: 'refused' }), ['account.wrongPassword']);
    assert.deepEqual(await reasons({ from: app.clock.now().toISOString() }), ['signed', 'original']);
    const earlier = await list({ to: app.clock.now().toISOString(), size: 200 });
    assert.ok(earlier.total > 5 && earlier.items.every(({ kind }) => kind !== 'download'));
    assert.ok((await list({ query: bia.id })).items.some(({ subjectAccount }) => subjectAccount?.id === bia.id));
    const plan = await app.call(api.contractTypes.create, { token: admin.token, body: { name: 'Ouro' } });
    const made = await list({ query: `contract-types/${plan.body.id}` });
    assert.deepEqual(
      made.items.map(({ kind, account }) => [kind, account?.id]),
      [['record.created', admin.id]],
    );
    assert.deepEqual(await list({ query: 'ninguém se chama assim' }), { items: [], total: 0 });
    for (const query of [{ kind: 'process' }, { from: 'ontem' }, { page: 9999, size: 200 }, { size: 201 }, { query: 'x'.repeat(201) }])
      assert.equal((await ask(query)).code, 'request.invalid', JSON.stringify(query));
  });

  it('cannot be changed or emptied, by no administrator and no program', async () => {
    await assert.rejects(app.ctx.db.updateTable('audit_event').set({ reason: 'outra' }).execute(), /append-only/);
    await assert.rejects(app.ctx.db.deleteFrom('audit_event').execute(), /append-only/);
  });

  it('is the administrators’ alone', async () => {
    const { body } = await app.call(api.authenticate, { body: { username: bia.email, password: bia.password } });
    assert.equal((await ask({}, body.id_token)).status, 403);
    assert.equal((await app.call(api.listAuditEvents, { query: {} })).status, 401);
  });

  it('has a sentence for every kind and outcome', () => {
    for (const locale of ['pt-br', 'en', 'es'] as const)
      for (const key of [...api.auditKinds.map((kind) => `audit.kind.${kind}`), ...api.auditOutcomes.map((one) => `audit.outcome.${one}`)])
        assert.notEqual(app.ctx.translate(locale, key), key, `${locale} ${key}`);
  });
});
