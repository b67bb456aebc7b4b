import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { sql } from 'kysely';
import { mailedInvitation, signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { signaturePng, startedProcess, upload } from '../../testing/processes.ts';

describe('companies', () => {
  let app: TestApp;
  let installation: TestAccount;
  let ana: TestAccount;
  let bia: TestAccount;
  let dora: TestAccount;
  let eva: TestAccount;
  let company: string;

  before(async () => {
    app = await startTestApp();
    // The first account of an installation is its administrator.
    installation = await signedInAccount(app);
    ana = await signedInAccount(app, { firstName: 'Ana', email: 'ana@empresa.com.br' });
    bia = await signedInAccount(app, { firstName: 'Bia', email: 'bia@empresa.com.br' });
    dora = await signedInAccount(app, { firstName: 'Dora', email: 'dora@empresa.com.br' });
    eva = await signedInAccount(app, { firstName: 'Eva', email: 'eva@outra.com.br' });
  });
  after(() => app.close());
  /** Ana has a company, and Bia joined it; the others belong to none. */
  beforeEach(async () => {
    await sql`delete from company`.execute(app.ctx.db);
    company = (await app.call(api.companies.create, { token: ana.token, body: { name: 'Empresa Á' } })).body.id;
    await invite(ana, bia.email);
    await accept(bia, await mailedInvitation(app, bia.email));
  });

  const invite = (by: TestAccount, ...emails: string[]) => app.call(api.inviteCompany, { token: by.token, body: { emails } });
  const accept = (by: TestAccount, params: { id: string; user: string }) => {
    // Members stand in the order in which they came.
    app.clock.advance({ seconds: 1 });
    return app.call(api.acceptInviteCompany, { token: by.token, params });
  };
  const own = (by: TestAccount) => app.call(api.findCompanyCurrentUser, { token: by.token });
  const ofMember = (account: TestAccount) => ({ companyId: company, userId: account.id });
  const roles = async () => (await own(ana)).body.members.map(({ name, authority }) => [name, authority]);

  it('keep their only administrator: the account is not removed while others belong to it', async () => {
    const removed = async () => {
      const { status, code } = await app.call(api.users.remove, { token: installation.token, params: { id: ana.id } });
      return [status, code];
    };
    assert.deepEqual(await removed(), [409, 'company.lastAdministrator']);
    assert.equal((await own(bia)).body.members.length, 1);
    await sql`update company_member set role = 'admin' where user_id = ${bia.id}`.execute(app.ctx.db);
    assert.deepEqual(await removed(), [204, undefined]);
    ana = await signedInAccount(app, { firstName: 'Ana', email: ana.email });
  });

  describe('count an administrator whose account is shut as none', () => {
    const shut = async (account: TestAccount) => {
      const { status, code } = await app.call(api.deactivateUser, { token: installation.token, params: { id: account.id } });
      return [status, code];
    };
    const appoint = () => app.call(api.makeAdministrator, { token: ana.token, params: ofMember(bia) });
    // Whoever was shut is given back, and enters anew.
    afterEach(async () => {
      for (const account of [ana, bia]) await app.call(api.reactivateUser, { token: installation.token, params: { id: account.id } });
      [ana.token, bia.token] = [await signIn(app, ana), await signIn(app, bia)];
    });

    it('the only one’s account is not shut while others belong to the company', async () => {
      assert.deepEqual(await shut(ana), [409, 'company.lastAdministrator']);
      const { body } = await app.call(api.users.get, { token: installation.token, params: { id: ana.id } });
      assert.equal(body.state, 'active', 'nothing of it happened');
      await appoint();
      assert.deepEqual(await shut(ana), [204, undefined]);
      assert.deepEqual(await shut(bia), [204, undefined], 'nobody is left who could lack an administrator');
    });

    it('who is left does not leave, and is not removed, while a member is there', async () => {
      await invite(ana, dora.email);
      await accept(dora, await mailedInvitation(app, dora.email));
      await appoint();
      assert.deepEqual(await shut(bia), [204, undefined]);
      assert.equal((await app.call(api.removeUser, { token: ana.token, params: ofMember(ana) })).code, 'company.lastAdministrator');
      assert.equal((await app.call(api.makeUser, { token: installation.token, params: ofMember(ana) })).code, 'company.lastAdministrator');
      assert.equal(
        (await app.call(api.users.remove, { token: installation.token, params: { id: ana.id } })).code,
        'company.lastAdministrator',
      );
      await app.call(api.removeUser, { token: ana.token, params: ofMember(dora) });
      assert.equal((await app.call(api.removeUser, { token: ana.token, params: ofMember(ana) })).status, 205);
    });

    it('whom the installation invites into a company that only such a one administers administers it', async () => {
      await app.call(api.removeUser, { token: ana.token, params: ofMember(bia) });
      assert.deepEqual(await shut(ana), [204, undefined]);
      await app.call(api.inviteCompany, { token: installation.token, body: { emails: [dora.email], companyId: company } });
      await accept(dora, await mailedInvitation(app, dora.email));
      assert.equal((await own(dora)).body.authority, 'ROLE_ADMIN');
    });

    it('whoever accepts what such a one had sent is a member as it said, and no administrator', async () => {
      await app.call(api.removeUser, { token: ana.token, params: ofMember(bia) });
      await invite(ana, dora.email);
      assert.deepEqual(await shut(ana), [204, undefined]);
      await accept(dora, await mailedInvitation(app, dora.email));
      assert.equal((await own(dora)).body.authority, 'ROLE_USER');
    });
  });

  it('have members with id, name, e-mail and authority, and the two bounds of retention; who is no administrator sees themself alone', async () => {
    const { body } = await own(ana);
    assert.deepEqual(
      body.members.map(({ id, name, email, authority, isCurrentUser }) => [id, name, email, authority, isCurrentUser]),
      [
        [ana.id, 'Ana', ana.email, 'ROLE_ADMIN', true],
        [bia.id, 'Bia', bia.email, 'ROLE_USER', false],
      ],
    );
    assert.deepEqual([body.maxDocSize, body.maxTime, body.authority], [null, null, 'ROLE_ADMIN']);
    const seen = (await own(bia)).body;
    assert.deepEqual([seen.members.map(({ name }) => name), seen.invitations, seen.authority], [['Bia'], [], 'ROLE_USER']);
    const { body: account } = await app.call(api.getAccount, { token: bia.token });
    assert.deepEqual(account.company, { id: company, authority: 'ROLE_USER', maxDocSize: null });
  });

  it('are told to whom they belong alone: without one 404, of another’s 404', async () => {
    const none = await own(eva);
    assert.deepEqual([none.status, none.code], [404, 'company.none']);
    const other = await app.call(api.getCompanyOverview, { token: eva.token, params: { id: company } });
    assert.deepEqual([other.status, other.code], [404, 'company.notFound']);
    assert.equal((await app.call(api.companies.list, { token: eva.token, query: {} })).body.total, 0);
    assert.equal((await app.call(api.companies.list, { token: bia.token, query: {} })).body.total, 0);
  });

  describe('roles', () => {
    for (const [reading, up, down] of [
      ['POST', api.makeAdministrator, api.makeUser],
      ['GET', api.makeAdministratorByGet, api.makeUserByGet],
    ] as const)
      it(`are given and taken by administrators of the company (${reading})`, async () => {
        const made = await app.call(up, { token: ana.token, params: ofMember(bia) });
        assert.equal(made.status, 200, made.raw.body);
        assert.equal(made.body.members[1]?.authority, 'ROLE_ADMIN');
        assert.equal((await app.call(down, { token: ana.token, params: ofMember(bia) })).body.members[1]?.authority, 'ROLE_USER');
      });

    it('are changed by no member, on nobody’s own row, and of nobody else’s company', async () => {
      for (const call of [api.makeAdministrator, api.makeUser, api.makeAdministratorByGet, api.makeUserByGet]) {
        const byMember = await app.call(call, { token: bia.token, params: ofMember(ana) });
        assert.deepEqual([byMember.status, byMember.code], [403, 'request.forbidden']);
        const byOneself = await app.call(call, { token: ana.token, params: ofMember(ana) });
        assert.deepEqual([byOneself.status, byOneself.code], [409, 'company.ownRole']);
        const stranger = await app.call(call, { token: ana.token, params: ofMember(installation) });
        assert.deepEqual([stranger.status, stranger.code], [404, 'company.memberNotFound']);
      }
      assert.deepEqual(await roles(), [
        ['Ana', 'ROLE_ADMIN'],
        ['Bia', 'ROLE_USER'],
      ]);
    });

    it('leave a company with an administrator, whoever takes the other’s role at the same moment', async () => {
      await app.call(api.makeAdministrator, { token: ana.token, params: ofMember(bia) });
      const both = await Promise.all([
        app.call(api.makeUser, { token: ana.token, params: ofMember(bia) }),
        app.call(api.makeUser, { token: bia.token, params: ofMember(ana) }),
      ]);
      assert.ok(both.some(({ status }) => status === 200));
      const { body } = await app.call(api.getCompanyOverview, { token: installation.token, params: { id: company } });
      assert.equal(body.members.filter(({ authority }) => authority === 'ROLE_ADMIN').length, 1);
    });
  });

  describe('removal', () => {
    for (const call of [api.removeUser, api.removeUserByGet])
      it(`answers 200 and who is left, 205 and nothing to who removed themself (${call.method})`, async () => {
        await invite(ana, dora.email);
        await accept(dora, await mailedInvitation(app, dora.email));
        const removed = await app.call(call, { token: ana.token, params: ofMember(bia) });
        assert.deepEqual([removed.status, removed.body.members.map(({ id }) => id)], [200, [ana.id, dora.id]]);
        const left = await app.call(call, { token: dora.token, params: ofMember(dora) });
        assert.deepEqual([left.status, left.raw.body], [205, '']);
        assert.equal((await own(dora)).code, 'company.none');
        const alone = await app.call(call, { token: ana.token, params: ofMember(ana) });
        assert.equal(alone.status, 205);
      });

    it('is no member’s to do, and leaves nobody without an administrator', async () => {
      assert.equal((await app.call(api.removeUser, { token: bia.token, params: ofMember(ana) })).status, 403);
      const last = await app.call(api.removeUser, { token: ana.token, params: ofMember(ana) });
      assert.deepEqual([last.status, last.code], [409, 'company.lastAdministrator']);
      assert.deepEqual((await roles()).length, 2);
    });
  });

  describe('invitations', () => {
    it('are for addresses of a company, not of free mail; one wrong address and nobody is invited', async () => {
      for (const [emails, code, field] of [
        [[], 'company.emailsRequired', 'emails'],
        [['dora@empresa.com.br', 'sem-arroba'], 'company.emailInvalid', 'emails.1'],
        [['dora@empresa.com.br', 'Dora@GMAIL.com'], 'company.emailFree', 'emails.1'],
        [[bia.email], 'company.emailMember', 'emails.0'],
        [Array.from({ length: 51 }, (_, index) => `p${index}@empresa.com.br`), 'company.tooManyEmails', 'emails'],
      ] as const) {
        const { status, code: said, raw } = await invite(ana, ...emails);
        assert.deepEqual([status, said, raw.json<{ fieldErrors: { field: string }[] }>().fieldErrors[0]?.field], [400, code, field]);
      }
      assert.deepEqual((await own(ana)).body.invitations, []);
    });

    it('go out from a pasted list as well, by the GET of the specification; each address once', async () => {
      const emails = ' Fábio <fabio@empresa.com.br>; FABIO@empresa.com.br,\ngil@empresa.com.br ';
      const { status, body } = await app.call(api.inviteCompanyByGet, { token: ana.token, params: { emails } });
      assert.equal(status, 200);
      assert.deepEqual(
        body.invitations.map(({ email }) => email),
        ['fabio@empresa.com.br', 'gil@empresa.com.br'],
      );
      assert.equal((await app.call(api.inviteCompanyByGet, { token: bia.token, params: { emails } })).status, 403);
    });

    it('go out by that GET as many as by the POST: fifty, however long', async () => {
      const many = Array.from({ length: limits.companyInvitationsPerCall }, (_, index) => `${'p'.repeat(50)}${index}@empresa.com.br`);
      const { status, body } = await app.call(api.inviteCompanyByGet, { token: ana.token, params: { emails: many.join(',') } });
      assert.deepEqual([status, body.invitations.length], [200, many.length]);
    });

    it('need an account of the invited address: 404 before it registered, the other’s refused, then it joins once', async () => {
      const email = 'fabio@empresa.com.br';
      await invite(ana, email);
      const params = await mailedInvitation(app, email);
      for (const answer of [await app.call(api.getCompanyInvitation, { params }), await accept(installation, params)])
        assert.deepEqual([answer.status, answer.code], [404, 'invitation.accountMissing']);
      const fabio = await signedInAccount(app, { email, firstName: 'Fábio' });
      const shown = await app.call(api.getCompanyInvitation, { params });
      assert.deepEqual([shown.body.companyName, shown.body.inviter], ['Empresa Á', 'Ana']);
      assert.doesNotMatch(shown.raw.body, /fabio@/);
      const other = await accept(installation, params);
      assert.deepEqual([other.status, other.code], [409, 'invitation.otherAddress']);
      assert.equal((await app.call(api.acceptInviteCompany, { params })).status, 401);
      const both = await Promise.all([
        accept(fabio, params),
        app.call(api.acceptInviteCompanyByGet, { token: await signIn(app, fabio), params }),
      ]);
      assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 410]);
      assert.deepEqual((await accept(fabio, params)).code, 'invitation.ended');
      assert.equal((await own(ana)).body.members.length, 3);
    });

    it('last 14 days; one that is sent again opens with its new key alone, one that is withdrawn with none', async () => {
      const { body } = await invite(ana, dora.email);
      const { id = '' } = body.invitations[0] ?? {};
      const first = await mailedInvitation(app, dora.email);
      app.clock.advance({ days: 14 });
      for (const account of [installation, ana, bia, dora, eva]) account.token = await signIn(app, account);
      assert.equal((await accept(dora, first)).code, 'invitation.ended');
      assert.equal((await own(ana)).body.invitations[0]?.expired, true);
      const again = await app.call(api.resendCompanyInvitation, { token: ana.token, params: { id } });
      assert.deepEqual([again.status, again.body.id, again.body.expired], [200, id, false]);
      assert.equal((await accept(dora, first)).code, 'invitation.notFound');
      const second = await mailedInvitation(app, dora.email);
      const revoke = (by: TestAccount) => app.call(api.revokeCompanyInvitation, { token: by.token, params: { id } });
      assert.equal((await revoke(bia)).status, 403);
      assert.equal((await revoke(ana)).status, 204);
      assert.equal((await revoke(ana)).code, 'invitation.ended');
      assert.equal((await accept(dora, second)).code, 'invitation.ended');
      assert.equal((await own(dora)).code, 'company.none');
    });

    it('take nobody out of another company', async () => {
      await app.call(api.companies.create, { token: eva.token, body: { name: 'Outra' } });
      await invite(ana, eva.email);
      const refused = await accept(eva, await mailedInvitation(app, eva.email));
      assert.deepEqual([refused.status, refused.code], [409, 'company.alreadyMember']);
    });
  });

  it('show their administrators what a member sent since they joined, each with files and signers; a member shows them nothing', async () => {
    await startedProcess(app, dora, { title: 'Antes da empresa' });
    app.clock.advance({ seconds: 1 });
    await invite(ana, dora.email);
    await accept(dora, await mailedInvitation(app, dora.email));
    await startedProcess(app, dora, {
      title: 'Da empresa',
      documents: ['contrato.pdf'],
      signers: [{ name: 'Caio Reis', email: 'caio@x.com.br' }],
    });
    const dueDate = new Date(app.clock.now().getTime() + 3 * 86_400_000).toISOString();
    app.clock.advance({ seconds: 1 });
    await startedProcess(app, dora, { title: 'Com prazo', signers: [{ name: 'Caio Reis', email: 'caio@x.com.br', dueDate }] });
    const seen = await app.call(api.signatureProcessListById, { token: ana.token, params: { id: dora.id }, query: {} });
    assert.deepEqual([seen.body.total, seen.body.items.map(({ title }) => title)], [2, ['Com prazo', 'Da empresa']]);
    assert.deepEqual(
      seen.body.items.map((item) => [item.dueDate, item.hasOwnDeadlines]),
      [
        [null, true],
        [null, false],
      ],
      'that each has a deadline of their own is told',
    );
    assert.deepEqual(seen.body.items[1]?.documents, ['contrato.pdf']);
    assert.deepEqual(seen.body.items[1]?.signers, [{ order: 0, name: 'Caio Reis', email: 'caio@x.com.br', status: 'SENT' }]);
    assert.equal((await app.call(api.signatureProcessListById, { token: dora.token, params: { id: dora.id }, query: {} })).body.total, 3);
    for (const by of [bia, installation])
      assert.equal((await app.call(api.signatureProcessListById, { token: by.token, params: { id: dora.id }, query: {} })).status, 404);
    await app.call(api.removeUser, { token: ana.token, params: ofMember(dora) });
    assert.equal((await app.call(api.signatureProcessListById, { token: ana.token, params: { id: dora.id }, query: {} })).status, 404);
  });

  it('write to signers in their name and colours, once the sender has a history; a new sender’s mails look like the product', async () => {
    const looks = { brandColor: '#ffd400', accentColor: '#0a3635', name: 'Padaria <São Bento>' };
    await app.call(api.patchCompany, { token: ana.token, params: { id: company }, body: looks });
    const mailOf = async (by: TestAccount, email: string) => {
      await startedProcess(app, by, { signers: [{ name: 'Caio Reis', email }] });
      await app.runJobs();
      return (await app.mailbox.list()).find(({ to }) => to === email) ?? assert.fail('no mail');
    };
    assert.doesNotMatch((await mailOf(ana, 'novo@x.com.br')).html, /Padaria/);
    await app.ctx.db
      .updateTable('app_user')
      .set({ authorities: ['ROLE_USER', 'ROLE_ADMIN'] })
      .where('id', '=', ana.id)
      .execute();
    const { html, text } = await mailOf(ana, 'conhecido@x.com.br');
    await app.ctx.db
      .updateTable('app_user')
      .set({ authorities: ['ROLE_USER'] })
      .where('id', '=', ana.id)
      .execute();
    assert.match(html, /background:#ffd400;color:#000000[^>]*>Padaria &lt;São Bento&gt;</);
    assert.match(html, /background:#0a3635;color:#ffffff/);
    assert.match(text, /^Padaria <São Bento>/);
  });

  describe('what is kept', () => {
    for (const call of [api.retention, api.retentionByGet])
      it(`is set in days and megabytes, positive ones, by administrators of the company (${call.method})`, async () => {
        const set = await app.call(call, { token: ana.token, params: { maxDocSize: 3, maxTime: 90 } });
        assert.deepEqual([set.status, set.body], [200, { maxDocSize: 3, maxTime: 90 }]);
        const { body } = await own(bia);
        assert.deepEqual([body.maxDocSize, body.maxTime], [3, 90]);
        assert.equal((await app.call(call, { token: bia.token, params: { maxDocSize: 3, maxTime: 90 } })).status, 403);
        for (const params of [
          { maxDocSize: 0, maxTime: 90 },
          { maxDocSize: 3, maxTime: -1 },
          { maxDocSize: 1.5, maxTime: 90 },
        ])
          assert.equal((await app.call(call, { token: ana.token, params })).code, 'company.retentionInvalid');
      });

    it('bounds the files of its members, which sizeIsAllowed tells beforehand', async () => {
      await app.call(api.retention, { token: ana.token, params: { maxDocSize: 1, maxTime: 90 } });
      const allowed = async (by: TestAccount, size: number) =>
        (await app.call(api.sizeIsAllowed, { token: by.token, params: { size } })).body;
      assert.deepEqual([await allowed(bia, 1024 * 1024), await allowed(bia, 1024 * 1024 + 1)], [true, false]);
      assert.equal(await allowed(installation, 1024 * 1024 + 1), true);
      const file = { name: 'grande.pdf', bytes: Buffer.alloc(1024 * 1024 + 1, '%') };
      const refused = await upload(app, bia.token, [file]);
      assert.deepEqual([refused.status, refused.code], [413, 'document.tooLarge']);
      assert.equal((await upload(app, installation.token, [file])).code, 'document.notPdf');
    });
  });

  describe('a company', () => {
    const patch = (by: TestAccount, body: api.Body<typeof api.patchCompany>) =>
      app.call(api.patchCompany, { token: by.token, params: { id: company }, body });

    it('has a CNPJ, numeric or alphanumeric, and colours; a merge patch changes what it names, in its own media type too', async () => {
      assert.equal((await patch(ana, { cnpj: '12.abc.345/01de-35' })).body.cnpj, '12ABC34501DE35');
      const patched = await app.call(api.patchCompany, {
        token: ana.token,
        params: { id: company },
        body: { brandColor: '#0A3635' },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      assert.deepEqual([patched.status, patched.body.cnpj, patched.body.brandColor], [200, '12ABC34501DE35', '#0a3635']);
      assert.equal((await patch(ana, { cnpj: null })).body.cnpj, null);
      for (const [body, code] of [
        [{ cnpj: '11.222.333/0001-82' }, 'company.cnpjInvalid'],
        [{ cnpj: '12.ABC.345/01DE-36' }, 'company.cnpjInvalid'],
        [{ brandColor: 'red' }, 'company.colorInvalid'],
        [{ name: '' }, 'record.nameRequired'],
        [{ name: 'x'.repeat(151) }, 'record.nameTooLong'],
        [{ name: 'Nova', version: 1 }, 'record.changed'],
      ] as const)
        assert.equal((await patch(ana, body)).code, code, code);
      assert.equal((await patch(bia, { name: 'Tomada' })).status, 404);
    });

    it('has a CNPJ that no other has', async () => {
      await patch(ana, { cnpj: '11.222.333/0001-81' });
      const taken = await app.call(api.companies.create, { token: eva.token, body: { name: 'Cópia', cnpj: '11222333000181' } });
      assert.deepEqual([taken.status, taken.code], [409, 'company.cnpjTaken']);
      assert.equal((await own(eva)).code, 'company.none');
      await patch(ana, { cnpj: null });
    });

    it('has a logo that mails may show; what is no picture is refused', async () => {
      const set = (image: string | null) => app.call(api.setCompanyLogo, { token: ana.token, params: { id: company }, body: { image } });
      const { body } = await set(signaturePng());
      const shown = await app.inject(`/api/company-logo/${body.logo}`);
      assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'image/png']);
      assert.match(String(shown.headers['cache-control']), /public/);
      assert.equal((await own(ana)).body.logo, body.logo);
      assert.equal((await set(Buffer.from('<svg/>').toString('base64'))).code, 'evidence.imageInvalid');
      assert.equal((await set(null)).body.logo, null);
      assert.equal((await app.inject(`/api/company-logo/${body.logo}`)).statusCode, 404);
    });

    it('is found, changed and deleted by who administers the installation alone; its members belong to none then', async () => {
      const { body } = await app.call(api.companies.search, { token: installation.token, query: { query: 'empresa a' } });
      assert.ok(body.items.some(({ id }) => id === company));
      assert.equal((await app.call(api.companies.remove, { token: ana.token, params: { id: company } })).status, 403);
      assert.equal((await app.call(api.companies.remove, { token: installation.token, params: { id: company } })).status, 204);
      assert.equal((await own(ana)).code, 'company.none');
      assert.equal((await own(bia)).code, 'company.none');
    });

    it('without members takes its first administrator by invitation', async () => {
      await app.call(api.removeUser, { token: ana.token, params: ofMember(bia) });
      await app.call(api.removeUser, { token: ana.token, params: ofMember(ana) });
      const sent = await app.call(api.inviteCompany, { token: installation.token, body: { emails: [bia.email], companyId: company } });
      assert.equal(sent.status, 200, sent.raw.body);
      await accept(bia, await mailedInvitation(app, bia.email));
      assert.equal((await own(bia)).body.authority, 'ROLE_ADMIN');
    });
  });
});
