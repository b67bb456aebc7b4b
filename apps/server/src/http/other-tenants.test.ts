import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { defaultDigitalModel } from '@lavra/domain';
import { sql, type Updateable } from 'kysely';
import { signToken } from '../access/token.ts';
import type { AppUserTable } from '../db/tables.ts';
import { cookieOf, mailedInvitation, signedInAccount, signIn, type TestAccount } from '../testing/accounts.ts';
import { type TestApp, testPublicUrl } from '../testing/app.ts';
import { Authenticator } from '../testing/authenticator.ts';
import { callExamples, type Example, type Link, nobody, type Rows } from '../testing/call-examples.ts';
import { type CloudStory, startCloudStory } from '../testing/cloud.ts';
import { everyCall } from './openapi/every-call.ts';
import { createDraft, samplePdf, signElectronically, startedProcess, upload } from '../testing/processes.ts';

/** Who comes to another's rows, and with what. */
interface Stranger {
  readonly name: string;
  readonly token: string | undefined;
  readonly authorities: readonly api.Authority[];
  /** Stands in the place of the right signer's id. */
  readonly link: Link;
}

const davi = { name: 'Davi Secreto', email: 'davi.secreto@exemplo.com.br' };
const title = 'Título só de Ana';
const fileName = 'arquivo-so-de-ana.pdf';
const modelName = 'Modelo só de Ana';
const companyName = 'Empresa só de Ana';
const domain = 'so-de-ana.com.br';

let story: CloudStory;
let app: TestApp;
let ana: TestAccount;
let rows: Rows;
let strangers: readonly Stranger[];
/** What nobody but Ana and her signers may read in an answer. */
let marks: readonly string[];
/** Ids that nobody has, in the places of Ana's. */
let invented: Rows;
let requests = 0;
const key = new Authenticator(testPublicUrl);

const inventedOf: Readonly<Record<string, string>> = { email: 'ninguem@exemplo.com.br', documentHash: 'cd'.repeat(32) };

type Answer = Awaited<ReturnType<typeof ask>>;
const examplesByName = callExamples.map((example) => {
  const [name = ''] = [...everyCall].find(([, call]) => call === example.call) ?? [];
  return [name, example] as const;
});

before(async () => {
  story = await startCloudStory();
  app = story.app;
  ana = await signedInAccount(app, { firstName: 'Anabela' });
  rows = await rowsOf(ana);
  invented = Object.fromEntries(Object.keys(rows).map((name) => [name, inventedOf[name] ?? crypto.randomUUID()])) as unknown as Rows;
  marks = [title, fileName, modelName, companyName, domain, davi.name, davi.email, ana.firstName, ana.email, ...Object.values(rows)];
  strangers = await allStrangers();
});
after(() => story.close());

/** One of everything that an account can have. */
async function rowsOf(account: TestAccount): Promise<Rows> {
  const given = { title, documents: [fileName], signers: [davi] };
  const open = await startedProcess(app, account, { ...given, stakeholders: [davi] });
  const digital = await startedProcess(app, account, { ...given, type: 'DIGITAL_SIGNATURE' });
  const earlier = await finished(await startedProcess(app, account, given));
  const signed = await app.call(api.downloadSignature, { token: account.token, params: earlier });
  const done = await finished(await startedProcess(app, account, { ...given, bytes: signed.raw.rawPayload }));
  const draft = await createDraft(app, account, given);
  const uploaded = await upload(app, account.token, [{ name: fileName, bytes: await samplePdf() }]);
  const model = await app.call(api.signatureModels.create, { token: account.token, body: { ...defaultDigitalModel, name: modelName } });
  const first = (ids: readonly string[] | undefined) => ids?.[0] ?? assert.fail('nothing was made');
  return {
    account: account.id,
    email: account.email,
    open: open.id,
    openSigner: first(open.signerIds),
    openDocument: first(open.documentIds),
    digital: digital.id,
    digitalSigner: first(digital.signerIds),
    digitalDocument: first(digital.documentIds),
    done: done.processId,
    doneSigner: done.signerId,
    doneDocument: done.documentId,
    draft: draft.id,
    ...(await namedInDraft(account, draft)),
    stakeholder: await stakeholderOf(account, open.id),
    document: first(uploaded.body.map(({ id }) => id)),
    documentHash: first(uploaded.body.map(({ hash }) => hash)),
    model: model.body.id,
    session: (await app.call(api.getSessions, { token: account.token })).body.sessions[0]?.id ?? assert.fail('no session'),
    ...(await companyOf(account)),
    passkey: await passkeyOf(account),
    identity: await identityOf(account),
  };
}

/** A draft's signer and document, and the signature that it names of them. */
async function namedInDraft({ token }: TestAccount, { signerIds, documentIds }: Awaited<ReturnType<typeof createDraft>>) {
  const [draftSigner = '', draftDocument = ''] = [signerIds[0], documentIds[0]];
  const named = await app.call(api.signatures.create, { token, body: { signer: { id: draftSigner }, document: { id: draftDocument } } });
  assert.equal(named.status, 201);
  return { draftSigner, draftDocument, signature: named.body.id };
}

async function stakeholderOf({ token }: TestAccount, processId: string): Promise<string> {
  const { body } = await app.call(api.stakeholders.list, { token, query: {} });
  return body.items.find(({ signatureProcess }) => signatureProcess.id === processId)?.id ?? assert.fail('no interested party');
}

/** A company of the account's with somebody else in it, and one who is invited. */
async function companyOf(account: TestAccount): Promise<Pick<Rows, 'company' | 'colleague' | 'invitation'>> {
  const { body } = await app.call(api.companies.create, { token: account.token, body: { name: companyName } });
  const colleague = await signedInAccount(app, { email: 'colega@so-de-ana.com.br', firstName: 'Colega só de Ana' });
  const emails = [colleague.email, 'convidada@so-de-ana.com.br'];
  const { body: invited } = await app.call(api.inviteCompany, { token: account.token, body: { emails } });
  const params = await mailedInvitation(app, colleague.email);
  assert.equal((await app.call(api.acceptInviteCompany, { token: colleague.token, params })).status, 200);
  return { company: body.id, colleague: colleague.id, invitation: invited.invitations[1]?.id ?? assert.fail('not invited') };
}

/** A provider opens the account. */
async function identityOf({ id }: TestAccount): Promise<string> {
  const at = app.clock.now();
  const row = { issuer: 'https://contas.exemplo', subject: id, user_id: id, provider: 'google', linked_at: at, last_used_at: at };
  return (await app.ctx.db.insertInto('account_identity').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Their account has a passkey: a sign-in is two steps. */
async function enterWithKey({ email, password }: TestAccount): Promise<string> {
  const first = await app.call(api.authenticate, { body: { username: email, password } });
  const { challenge, passkey } = first.body.secondStep ?? assert.fail('no second step');
  const body = { challenge, passkey: key.get(passkey ?? assert.fail('no passkey')) };
  return (await app.call(api.finishSignIn, { body, headers: { cookie: cookieOf(first.raw) } })).body.id_token;
}

async function passkeyOf({ token, password }: TestAccount): Promise<string> {
  const begun = await app.call(api.beginPasskey, { token, body: { proof: { password } } });
  const passkey = key.create(begun.body.passkey);
  const { body } = await app.call(api.addPasskey, { token, body: { challenge: begun.body.challenge, passkey, name: 'Chave só de Ana' } });
  return body.id;
}

async function finished({ id, signerIds: [signerId = ''], documentIds: [documentId = ''] }: Awaited<ReturnType<typeof startedProcess>>) {
  assert.equal((await signElectronically(app, id, signerId, { name: davi.name })).status, 204);
  return { processId: id, signerId, documentId };
}

async function allStrangers(): Promise<readonly Stranger[]> {
  const bia = await signedInAccount(app);
  const { signerIds } = await startedProcess(app, bia, { signers: [{ name: 'Caio Reis', email: 'caio@exemplo.com.br' }] });
  const none: Link = () => undefined;
  const otherLink: Link = () => signerIds[0];
  const user = ['ROLE_USER'] as const;
  return [
    { name: 'nobody', token: undefined, authorities: [], link: none },
    { name: 'nobody with an invented link', token: undefined, authorities: [], link: () => nobody },
    { name: 'the signer of another process', token: undefined, authorities: [], link: otherLink },
    { name: 'another account', token: bia.token, authorities: user, link: none },
    { name: 'another account with a link of its own', token: await signIn(app, bia), authorities: user, link: otherLink },
    { name: 'an administrator', token: story.creator.token, authorities: ['ROLE_USER', 'ROLE_ADMIN'], link: none },
  ];
}

/** Each request from an address of its own: what is counted by address is tried elsewhere. */
async function ask({ call, asked }: Example, whose: Rows, who: { token: string | undefined; link: Link }) {
  requests += 1;
  const ip = `198.18.${requests >> 8}.${requests & 255}`;
  if (call === api.uploadDocuments)
    return upload(app, who.token ?? 'none', [{ name: 'meu.pdf', bytes: await samplePdf(1) }], { 'x-forwarded-for': ip });
  return app.call(call, { ...asked(whose, who.link), ip, ...(who.token === undefined ? {} : { token: who.token }) });
}

/** What a stranger is answered, by the table of calls alone. */
function refusals({ access }: api.Call, { token, authorities }: Stranger): readonly number[] {
  if (access === 'public') return [401, 404];
  if (typeof access === 'object' && 'link' in access) return token === undefined ? [401, 404] : [404];
  if (token === undefined) return [401];
  return access !== 'session' && access !== 'authenticated' && !access.some((one) => authorities.includes(one)) ? [403] : [404];
}

/** What is wrong with what a stranger was answered; `instead`: what the same request with invented ids was. */
function faultsOf({ call, kind }: Example, stranger: Stranger, answer: Answer, instead: Answer): string[] {
  const { status } = answer;
  const faults = marks
    .filter((mark) => answer.raw.body.includes(mark) && !isToldToAnyone(call, mark) && !isToldToAdministrators(call, mark, stranger))
    .map((mark) => `it tells ${mark}`);
  const mayNot = ['administration', 'both'].includes(kind) && !stranger.authorities.includes('ROLE_ADMIN');
  if (status >= 500) faults.push('a fault of ours');
  if ((kind === 'rows' || mayNot) && !refusals(call, stranger).includes(status)) faults.push('not refused as the table says');
  if (kind === 'secret' && status < 400) faults.push('not refused');
  if (stranger.token === undefined && isForSignedIn(call.access) && status !== 401) faults.push('nobody is signed in');
  if (said(answer) !== said(instead)) faults.push(`not there, it is ${instead.status} ${instead.code ?? ''}`);
  return faults;
}

function isForSignedIn(access: api.Access): boolean {
  return access === 'session' || access === 'authenticated' || Array.isArray(access);
}

/** Of companies and application users: who administers the installation sees all of them, and may change them. */
function isTheirs({ path }: api.Call): boolean {
  return /compan|application-users|InviteCompany|makeAdministrator|makeUser|removeUser/.test(path);
}

/** With a process's id alone a visitor learns its title, who asks, and the names of its documents. */
function isToldToAnyone(call: api.Call, mark: string): boolean {
  return call === api.getRequisitionInformation && [title, fileName, ana.firstName, rows.openDocument].includes(mark);
}

/** Who has an account here, their administrators know. */
function isToldToAdministrators(call: api.Call, mark: string, { authorities }: Stranger): boolean {
  const isOfPeople = call.path.startsWith('api/admin/') || call.path === 'api/_search/admin/users' || call.path === api.listLogins.path;
  return isOfPeople && authorities.includes('ROLE_ADMIN') && [ana.id, ana.email, ana.firstName, rows.colleague, domain].includes(mark);
}

const said = ({ status, code, raw }: Answer) => JSON.stringify([status, code, raw.headers['content-type'], raw.body]);

/** Every row of every table that names Ana or what is hers; what is counted, noted or remembered of visitors aside. */
async function rowsAsTheyAre(): Promise<string> {
  const passing = /limit|audit|idempotency|session|device|outside|clock|account_key|^mail$|kysely/;
  const { rows: tables } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(
    app.ctx.db,
  );
  const pattern = Object.values(rows).map((id) => `%${id}%`);
  const kept = tables
    .filter(({ name }) => !passing.test(name))
    .map(async ({ name }) => {
      const { rows: found } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t where t::text like any(${pattern}) order by 1`.execute(app.ctx.db);
      return [name, found.map(({ row }) => row)];
    });
  return JSON.stringify(await Promise.all(kept));
}

describe('the rows of one account', () => {
  it('have an example of every call', () => {
    const missing = [...everyCall].filter(([, call]) => !callExamples.some((example) => example.call === call)).map(([name]) => name);
    assert.deepEqual(missing, []);
    assert.equal(callExamples.length, everyCall.size);
  });

  it('are not found by anybody else, in no call; whether they are there is not told, and nothing becomes of them', async () => {
    const before = await rowsAsTheyAre();
    const faults: string[] = [];
    for (const [name, example] of examplesByName)
      for (const stranger of strangers) {
        if (example.kind !== 'rows' && isTheirs(example.call) && stranger.authorities.includes('ROLE_ADMIN')) continue;
        const answer = await ask(example, rows, stranger);
        const instead =
          example.kind === 'rows' || example.kind === 'both' || example.kind === 'secret' ? await ask(example, invented, stranger) : answer;
        for (const fault of faultsOf(example, stranger, answer, instead))
          faults.push(`${name} by ${stranger.name}, ${answer.status} ${answer.code ?? ''}: ${fault}`);
      }
    assert.deepEqual(faults, []);
    assert.equal(await rowsAsTheyAre(), before);
  });

  it('are found by their owner and their signers with the same requests', async () => {
    const token = await enterWithKey(ana);
    const refused: string[] = [];
    for (const [name, example] of examplesByName.filter(([, { kind }]) => kind === 'rows' || kind === 'both' || kind === 'own')) {
      const { status, code } = await ask(example, rows, { token, link: (right) => right });
      if ([401, 403, 404].includes(status) || status >= 500) refused.push(`${name}: ${status} ${code ?? ''}`);
    }
    assert.deepEqual(refused, []);
  });
});

describe('every call', () => {
  /** An account of each kind; those that come without one have none. */
  const accounts = new Map<api.CallerName, string>();
  before(async () => {
    const given = async (name: api.CallerName, columns: Partial<Updateable<AppUserTable>> = {}) => {
      const { id } = await signedInAccount(app);
      if (Object.keys(columns).length > 0) await app.ctx.db.updateTable('app_user').set(columns).where('id', '=', id).execute();
      accounts.set(name, id);
    };
    accounts.set('company administrator', ana.id);
    await given('company member');
    const joins = { company_id: rows.company, user_id: accounts.get('company member') ?? '', joined_at: app.ctx.clock.now() };
    await app.ctx.db
      .insertInto('company_member')
      .values({ ...joins, role: 'member' })
      .execute();
    await given('user');
    await given('another company’s administrator');
    const token = await freshToken('another company’s administrator');
    await app.call(api.companies.create, { token: token ?? '', body: { name: 'Empresa de outra pessoa' } });
    await given('product administrator', { authorities: ['ROLE_ADMIN'] });
    await given('deactivated', { activated: false, was_activated: true, deactivated_at: app.ctx.clock.now() });
    await given('expired session');
    await given('no authority', { authorities: [] });
  });

  /** A session of its own for each request: some calls end it. Not revoked where the account was deactivated: that alone must do. */
  async function freshToken(name: api.CallerName): Promise<string | undefined> {
    const userId = accounts.get(name);
    if (userId === undefined) return undefined;
    const [id, now] = [crypto.randomUUID(), app.ctx.clock.now().getTime()];
    const session = { id, user_id: userId, created_at: new Date(now - 3_600_000), user_agent: '', device_id: null };
    const expiresAt = new Date(name === 'expired session' ? now - 1000 : now + 3_600_000);
    await app.ctx.db
      .insertInto('session')
      .values({ ...session, expires_at: expiresAt })
      .execute();
    return signToken(app.ctx, { sub: userId, sid: id });
  }

  function faultOf(name: api.CallerName, { call, kind }: Example, { status, code }: Answer): string | null {
    const expected = api.admissionOf(call, api.callers[name]);
    const isOwners = name === 'company administrator' || name === 'signer link';
    if (status >= 500) return 'a fault of ours';
    if (expected === 'in' && kind === 'rows' && !isOwners) return status === 404 ? null : 'rows of somebody else';
    // Within the door a member is told that it takes the company's administrator, and the others that there is no such company.
    if (expected === 'in' && (kind === 'both' || call === api.removeUserByGet) && name === 'company member')
      return [403, 404].includes(status) || call === api.getCompanyOverview ? null : 'is the administrator’s';
    if (expected === 'in' && kind === 'both' && !isOwners && name !== 'product administrator')
      return status === 404 ? null : 'a company of somebody else';
    if (expected === 'in') return isRefusedAtDoor(kind, code) ? 'is not let in' : null;
    const isTold = { 401: 'request.unauthorized', 403: 'request.forbidden', 404: code }[expected];
    // What a link is missing for may take more than that, and say so first.
    if (expected === 404 && kind === 'secret') return status >= 400 ? null : 'is let in';
    return status === expected && code === isTold ? null : `is not answered ${expected}`;
  }

  const isRefusedAtDoor = (kind: Example['kind'], code: string | undefined) =>
    code === 'request.forbidden' || (code === 'request.unauthorized' && kind !== 'secret');

  it('is answered to everybody as packages/api says: whoever may not make it is refused at its door', async () => {
    const faults: string[] = [];
    const tried = new Set<string>();
    for (const name of Object.keys(api.callers) as api.CallerName[]) {
      assert.equal(accounts.has(name), api.callers[name].session !== 'none', `nobody comes as ${name}`);
      for (const [callName, example] of examplesByName) {
        const link: Link = (right) => (api.callers[name].link ? right : undefined);
        const answer = await ask(example, rows, { token: await freshToken(name), link });
        const fault = faultOf(name, example, answer);
        if (fault) faults.push(`${callName} by ${name}, ${answer.status} ${answer.code ?? ''}: ${fault}`);
        tried.add(callName);
      }
    }
    assert.deepEqual(faults, []);
    assert.deepEqual([...tried].toSorted(), [...everyCall.keys()].toSorted(), 'a call is tried as nobody');
  });
});
