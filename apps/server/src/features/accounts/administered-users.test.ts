import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { mailedKey, signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft } from '../../testing/processes.ts';

type Asked = Parameters<typeof writtenOf>[0];
const writtenOf = (given: Partial<api.AdministeredUser>) => ({
  email: given.email ?? 'nova@exemplo.com.br',
  firstName: given.firstName ?? 'Nova',
  lastName: given.lastName ?? '',
  langKey: given.langKey ?? ('pt-br' as const),
  authorities: given.authorities ?? ['ROLE_USER' as const],
});

describe('people’s accounts in the administration', () => {
  let app: TestApp;
  let admin: TestAccount;
  before(async () => {
    app = await startTestApp();
    // The first account of an installation is its administrator.
    admin = await signedInAccount(app, { firstName: 'Alda' });
  });
  after(() => app.close());

  const by = (token: string | undefined = admin.token) => ({ token });
  const create = (given: Asked) => app.call(api.users.create, { ...by(), body: writtenOf(given) });
  const get = async (id: string) => (await app.call(api.users.get, { ...by(), params: { id } })).body;
  const change = async (id: string, given: Partial<api.AdministeredUser>, who = admin) =>
    app.call(api.users.update, {
      token: who.token,
      params: { id },
      body: { ...writtenOf(await get(id)), ...given },
    });
  const audited = async (subject: string) =>
    (
      await app.ctx.db
        .selectFrom('audit_event')
        .select(['kind', 'account_id', 'details', 'reason'])
        .where('subject_id', 'in', [subject, `admin/users/${subject}`])
        .orderBy('id')
        .execute()
    ).map(({ kind, account_id, details, reason }) => [kind, account_id === admin.id, details ?? reason]);

  it('are created by an administrator, who chooses no password: whoever reads the mail does, and enters', async () => {
    const made = await create({
      email: 'Nova@Exemplo.com.br',
      firstName: ' Nova ',
      lastName: 'Lima',
      authorities: ['ROLE_ADMIN', 'ROLE_USER'],
    });
    assert.equal(made.status, 201, made.raw.body);
    const { id, createdDate, ...kept } = made.body;
    assert.equal(createdDate, app.clock.now().toISOString());
    assert.deepEqual(kept, {
      version: 1,
      login: 'nova@exemplo.com.br',
      email: 'nova@exemplo.com.br',
      firstName: 'Nova',
      lastName: 'Lima',
      langKey: 'pt-br',
      authorities: ['ROLE_USER', 'ROLE_ADMIN'],
      activated: false,
      state: 'notActivated',
      loginType: 'password',
      createdBy: admin.email,
      lastModifiedBy: null,
      lastModifiedDate: null,
    });
    const key = await mailedKey(app, kept.email);
    const finished = await app.call(api.finishPasswordReset, { body: { key, newPassword: 'Minha1Senha' } });
    assert.equal(finished.status, 204, finished.raw.body);
    assert.ok(await signIn(app, { email: kept.email, password: 'Minha1Senha' }));
    assert.deepEqual([(await get(id)).state, (await get(id)).activated], ['active', true]);
    const refused = await app.call(api.users.create, {
      ...by(),
      body: { ...writtenOf({ email: 'com@exemplo.com.br' }), password: 'Vinte3lua' as '' },
    });
    assert.deepEqual([refused.status, refused.code], [400, 'request.invalid']);
    const trail = [
      ['record.created', true, null],
      ['account.role', true, { authorities: { from: [], to: ['ROLE_ADMIN', 'ROLE_USER'] } }],
    ];
    assert.deepEqual((await audited(id)).slice(0, 2), trail);
  });

  it('are not replaced by a registration of somebody else while their holder has not confirmed them', async () => {
    const { body } = await create({ email: 'prometida@exemplo.com.br', authorities: ['ROLE_USER', 'ROLE_ADMIN'] });
    const stranger = { firstName: 'Eva', login: body.email, email: body.email, password: 'Vinte3lua' };
    assert.equal((await app.call(api.register, { body: stranger })).code, 'account.userexists');
    assert.deepEqual((await get(body.id)).authorities, ['ROLE_USER', 'ROLE_ADMIN']);
  });

  it('are refused with a code beside the field at fault', async () => {
    for (const [given, code, field] of [
      [{ email: 'sem-arroba' }, 'account.emailInvalid', 'email'],
      [{ email: admin.email.toUpperCase() }, 'account.userexists', 'email'],
      [{ firstName: '  ' }, 'account.nameRequired', 'firstName'],
      [{ lastName: 'x'.repeat(51) }, 'account.nameTooLong', 'lastName'],
      [{ firstName: 'A\u202Ena' }, 'text.invisible', 'firstName'],
    ] as const) {
      const answer = await create({ email: 'falha@exemplo.com.br', ...given });
      const fault = answer.raw.json<{ fieldErrors: { field: string }[] }>().fieldErrors[0]?.field;
      assert.deepEqual([answer.status, answer.code, fault], [400, code, field]);
    }
    const role = await create({ authorities: ['ROLE_GOD' as 'ROLE_USER'] });
    assert.equal(role.code, 'request.invalid');
  });

  it('are listed page by page, sorted, and found by name and e-mail without accents and case', async () => {
    for (const name of ['Ágata', 'Érico']) await create({ email: `${name === 'Ágata' ? 'a' : 'e'}.busca@exemplo.com.br`, firstName: name });
    const search = async (query: string, sort = 'firstName,asc') =>
      (await app.call(api.users.search, { ...by(), query: { query, sort } })).body.items.map(({ firstName }) => firstName);
    assert.deepEqual(await search('agata'), ['Ágata']);
    assert.deepEqual(await search('.BUSCA@'), ['Ágata', 'Érico']);
    assert.deepEqual(await search('.busca@', 'firstName,desc'), ['Érico', 'Ágata']);
    assert.deepEqual(await search('busca', 'email,desc'), ['Érico', 'Ágata']);
    const { body } = await app.call(api.users.list, { ...by(), query: { page: 0, size: 1 } });
    assert.ok(body.items.length === 1 && body.total > 3);
    assert.equal((await app.call(api.users.list, { ...by(), query: { sort: 'password_hash,asc' } })).code, 'request.invalid');
    const logins = await app.call(api.listLogins, { ...by(), query: { size: 200 } });
    assert.deepEqual(Object.keys(logins.body.items[0] ?? {}).toSorted(), ['id', 'login']);
    assert.ok(logins.body.items.some(({ login }) => login === 'a.busca@exemplo.com.br'));
    assert.deepEqual((await app.call(api.listAuthorities, by())).body, ['ROLE_USER', 'ROLE_ADMIN']);
  });

  it('take a new role at once: in the session that is open, and in the trail', async () => {
    const person = await signedInAccount(app);
    assert.equal((await app.call(api.users.list, { token: person.token, query: {} })).status, 403);
    const given = await change(person.id, { authorities: ['ROLE_USER', 'ROLE_ADMIN'] });
    assert.deepEqual([given.status, given.body.lastModifiedBy, given.body.version], [200, admin.email, 2]);
    assert.equal((await app.call(api.users.list, { token: person.token, query: {} })).status, 200);
    assert.equal((await change(person.id, { authorities: [] })).status, 200);
    const nothing = await app.call(api.getProcessesInfos, { token: person.token, query: { searchText: '' } });
    assert.deepEqual([nothing.status, nothing.code], [403, 'request.forbidden']);
    assert.equal((await app.call(api.getAccount, { token: person.token })).status, 200);
    const roles = (await audited(person.id)).filter(([kind]) => kind === 'account.role');
    assert.deepEqual(roles.at(-1), ['account.role', true, { authorities: { from: ['ROLE_ADMIN', 'ROLE_USER'], to: [] } }]);
  });

  it('are not overwritten by an administrator who read them before somebody else, or their holder, saved', async () => {
    const person = await signedInAccount(app, { firstName: 'Antes' });
    const read = await get(person.id);
    const own = { firstName: 'Próprio', lastName: 'Nome', email: person.email, langKey: 'en' as const };
    assert.equal(
      (await app.call(api.saveAccount, { token: person.token, body: { ...own, timeZone: 'America/Sao_Paulo' } as never })).status,
      204,
    );
    const late = await app.call(api.users.update, {
      ...by(),
      params: { id: person.id },
      body: { ...writtenOf(read), version: read.version },
    });
    assert.deepEqual([late.status, late.code], [409, 'record.changed']);
    assert.equal((await get(person.id)).firstName, 'Próprio');
  });

  it('are deactivated and given back: sessions end at once, and nobody enters meanwhile', async () => {
    const person = await signedInAccount(app);
    const params = { id: person.id };
    assert.equal((await app.call(api.deactivateUser, { ...by(), params })).status, 204);
    assert.equal((await app.call(api.getAccount, { token: person.token })).status, 401);
    const shut = await app.call(api.authenticate, { body: { username: person.email, password: person.password } });
    assert.equal(shut.code, 'account.deactivated');
    assert.equal((await get(person.id)).state, 'deactivated');
    assert.equal((await app.call(api.resendActivation, { ...by(), params })).code, 'user.confirmed');
    assert.equal((await app.call(api.reactivateUser, { ...by(), params })).status, 204);
    assert.equal((await app.call(api.getAccount, { token: person.token })).status, 401, 'an ended session stays ended');
    assert.ok(await signIn(app, person));
    // The specification's field does the same.
    const off = await change(person.id, { activated: false });
    assert.deepEqual([off.status, off.body.state, off.body.activated], [200, 'deactivated', false]);
    assert.equal((await change(person.id, { activated: true })).body.state, 'active');
    const kinds = (await audited(person.id)).map(([kind]) => kind).filter((kind) => String(kind).includes('activated'));
    assert.deepEqual(kinds, ['account.deactivated', 'account.reactivated', 'account.deactivated', 'account.reactivated']);
  });

  it('are sent the link of their activation again, and only whoever reads it activates them', async () => {
    const given = { firstName: 'Rui', login: 'rui@exemplo.com.br', email: 'rui@exemplo.com.br', password: 'Vinte3lua' };
    assert.equal((await app.call(api.register, { body: given })).status, 200);
    const first = await mailedKey(app, given.email);
    const { body } = await app.call(api.users.search, { ...by(), query: { query: given.email } });
    const id = body.items[0]?.id ?? '';
    const forced = await change(id, { activated: true });
    assert.deepEqual([forced.status, forced.code], [409, 'user.notConfirmed']);
    app.clock.advance({ minutes: 1 });
    assert.equal((await app.call(api.resendActivation, { ...by(), params: { id } })).status, 204);
    const second = await mailedKey(app, given.email);
    assert.notEqual(second, first);
    assert.equal((await app.call(api.confirmAccount, { body: { key: second, password: given.password } })).status, 204);
    assert.equal((await app.call(api.resendActivation, { ...by(), params: { id } })).code, 'user.confirmed');
    assert.deepEqual(
      (await audited(id)).map(([kind]) => kind),
      ['account.invited'],
    );
    const many = await create({ email: 'muitas@exemplo.com.br' });
    const statuses = [];
    for (let time = 0; time < api.rateLimits['resend-activation'].most + 1; time += 1)
      statuses.push((await app.call(api.resendActivation, { ...by(), params: { id: many.body.id } })).status);
    assert.deepEqual([...new Set(statuses)], [204, 429]);
  });

  it('keep a confirmed address; one that nobody confirmed is corrected, and the link goes to the new one alone', async () => {
    const person = await signedInAccount(app);
    const taken = await change(person.id, { email: 'outro@exemplo.com.br' });
    assert.deepEqual([taken.status, taken.code], [409, 'user.emailConfirmed']);
    assert.equal((await get(person.id)).email, person.email);
    const { body } = await create({ email: 'errado@exemplo.com.br' });
    const old = await mailedKey(app, 'errado@exemplo.com.br');
    assert.equal((await change(body.id, { email: 'certo@exemplo.com.br' })).body.login, 'certo@exemplo.com.br');
    assert.equal((await app.call(api.finishPasswordReset, { body: { key: old, newPassword: 'Minha1Senha' } })).code, 'account.keyInvalid');
    const key = await mailedKey(app, 'certo@exemplo.com.br');
    assert.equal((await app.call(api.finishPasswordReset, { body: { key, newPassword: 'Minha1Senha' } })).status, 204);
  });

  it('are signed out everywhere by an administrator, whose own session stays', async () => {
    const person = await signedInAccount(app);
    const second = await signIn(app, person);
    assert.equal((await app.call(api.endUserSessions, { ...by(), params: { id: person.id } })).status, 204);
    for (const token of [person.token, second]) assert.equal((await app.call(api.getAccount, { token })).status, 401);
    assert.deepEqual(await audited(person.id), [['session.ended', true, 'administrator']]);
    assert.equal((await app.call(api.endUserSessions, { ...by(), params: { id: admin.id } })).status, 204);
    assert.equal((await app.call(api.getAccount, by())).status, 200);
  });

  it('are removed when they have made nothing; what made something is deactivated instead', async () => {
    const idle = await signedInAccount(app);
    assert.equal((await app.call(api.users.remove, { ...by(), params: { id: idle.id } })).status, 204);
    assert.equal((await app.call(api.users.get, { ...by(), params: { id: idle.id } })).code, 'request.notFound');
    assert.equal((await app.call(api.getAccount, { token: idle.token })).status, 401);
    const busy = await signedInAccount(app);
    await createDraft(app, busy);
    const refused = await app.call(api.users.remove, { ...by(), params: { id: busy.id } });
    assert.deepEqual([refused.status, refused.code], [409, 'user.inUse']);
    assert.equal((await app.call(api.getAccount, { token: busy.token })).status, 200, 'nothing of it is gone');
  });
});

describe('the last administrator', () => {
  let app: TestApp;
  let admin: TestAccount;
  let user: TestAccount;
  before(async () => {
    app = await startTestApp();
    admin = await signedInAccount(app);
    user = await signedInAccount(app);
  });
  after(() => app.close());

  const demote = (who: TestAccount, by = who) =>
    app.call(api.users.update, {
      token: by.token,
      params: { id: who.id },
      body: { ...writtenOf({ email: who.email, firstName: who.firstName }), authorities: ['ROLE_USER'] },
    });
  const promote = (who: TestAccount) =>
    app.call(api.users.update, {
      token: admin.token,
      params: { id: who.id },
      body: { ...writtenOf({ email: who.email, firstName: who.firstName }), authorities: ['ROLE_USER', 'ROLE_ADMIN'] },
    });

  it('cannot remove, demote or deactivate themself', async () => {
    const waiting = { ...writtenOf({ email: 'espera@exemplo.com.br' }), authorities: ['ROLE_ADMIN' as const] };
    assert.equal((await app.call(api.users.create, { token: admin.token, body: waiting })).status, 201);
    const params = { id: admin.id };
    const answers = [
      await demote(admin),
      await app.call(api.deactivateUser, { token: admin.token, params }),
      await app.call(api.users.remove, { token: admin.token, params }),
    ];
    assert.deepEqual(
      answers.map(({ status, code }) => [status, code]),
      Array(3).fill([409, 'user.lastAdministrator']),
    );
    assert.equal((await app.call(api.users.list, { token: admin.token, query: {} })).status, 200);
  });

  it('is not lost when two give the role up at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      assert.equal((await promote(user)).status, 200);
      const answers = await Promise.all([demote(admin), demote(user)]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
      // Whoever is left gives it back to the first.
      if (answers[0]?.status === 200)
        await app.ctx.db
          .updateTable('app_user')
          .set({ authorities: ['ROLE_USER', 'ROLE_ADMIN'] })
          .where('id', '=', admin.id)
          .execute();
      if (answers[0]?.status === 200) await demote(user, admin);
    }
  });
});
