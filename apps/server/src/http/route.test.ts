import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { defaultDigitalModel, DomainError } from '@lavra/domain';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { type Actor, nobodysSigner } from '../access/actor.ts';
import { mailedKeys, replaceLinks } from '../access/signer-links.store.ts';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { startedProcess } from '../testing/processes.ts';
import { costOf } from '../testing/statements.ts';
import { buildApp } from './app.ts';
import { route } from './route.ts';

const body = z.object({ title: z.string().check(z.maxLength(5)), count: z.optional(z.number()) });
const linked = { method: 'GET', query: z.object({ user: z.optional(z.string()) }), reply: z.string() } as const;
const calls = {
  open: api.defineCall({
    method: 'GET',
    path: 'api/test/open',
    access: 'public',
    query: z.object({ page: z.optional(z.coerce.number()) }),
    reply: z.object({ name: z.string() }),
  }),
  admin: api.defineCall({ method: 'GET', path: 'api/test/admin', access: ['ROLE_ADMIN'], kind: 'empty' }),
  session: api.defineCall({ method: 'GET', path: 'api/test/session', access: 'session', kind: 'empty' }),
  any: api.defineCall({ method: 'GET', path: 'api/test/any', access: [], kind: 'empty' }),
  create: api.defineCall({
    method: 'POST',
    path: 'api/test/create',
    access: 'authenticated',
    body,
    reply: z.object({ id: z.number() }),
    idempotent: true,
  }),
  refuse: api.defineCall({ method: 'GET', path: 'api/test/refuse', access: 'public', kind: 'empty' }),
  crash: api.defineCall({ method: 'GET', path: 'api/test/crash', access: 'public', reply: z.object({ name: z.string() }) }),
  guarded: api.defineCall({
    method: 'POST',
    path: 'api/test/guarded',
    access: 'authenticated',
    limits: ['change-password', 'reset', 'sessions'],
    body,
    kind: 'empty',
  }),
  polled: api.defineCall({ ...linked, path: 'api/test/polled', access: { link: 'query.user', or: 'session' }, mayBeUnchanged: true }),
  address: api.defineCall({ method: 'GET', path: 'api/test/address', access: 'public', reply: z.string() }),
  byLink: api.defineCall({ ...linked, path: 'api/test/link', access: { link: 'query.user' } }),
  byLinkOrSession: api.defineCall({ ...linked, path: 'api/test/link-or-session', access: { link: 'query.user', or: 'session' } }),
  byLinkOrAnyone: api.defineCall({ ...linked, path: 'api/test/link-or-anyone', access: { link: 'query.user', or: 'anyone' } }),
};

function tell(actor: Actor): string {
  if (actor.kind === 'person') return `person ${actor.userId}`;
  return actor.kind === 'signerLink' ? `signerLink ${actor.signerId} beside ${actor.signedInAs ?? 'nobody'}` : actor.kind;
}

describe('a bound call', () => {
  let world: TestApp;
  let app: FastifyInstance;
  let admin: TestAccount;
  let user: TestAccount;
  let created = 0;
  let failNext = false;
  let said = 'waiting';

  before(async () => {
    world = await startTestApp();
    admin = await signedInAccount(world);
    user = await signedInAccount(world);
    app = await buildApp(world.ctx, [
      (server, ctx) => {
        route(server, ctx, calls.open, async () => ({ name: 'Ana', passwordHash: 'secret' }) as { name: string });
        route(server, ctx, calls.admin, async () => {});
        route(server, ctx, calls.any, async () => {});
        route(server, ctx, calls.session, async () => {});
        route(server, ctx, calls.create, async (tx, { actor, body: given }) => {
          created += 1;
          await tx.db
            .insertInto('mail')
            .values({
              id: crypto.randomUUID(),
              to_address: actor.email,
              subject: given.title,
              html: '',
              text: '',
              created_at: tx.clock.now(),
              error: null,
            })
            .execute();
          if (failNext) throw new DomainError('request.conflict');
          await new Promise((resolve) => setTimeout(resolve, 30));
          return { id: created };
        });
        route(server, ctx, calls.guarded, async () => {});
        route(server, ctx, calls.refuse, async () => {
          throw new DomainError('process.contractSuspended');
        });
        route(server, ctx, calls.crash, async () => {
          throw new Error('password of the database is 1234');
        });
        route(server, ctx, calls.polled, async () => said);
        route(server, ctx, calls.address, async (_c, { actor }) => actor.from.ip);
        for (const call of [calls.byLink, calls.byLinkOrSession, calls.byLinkOrAnyone])
          route(server, ctx, call, async (_c, { actor }) => tell(actor));
      },
    ]);
  });
  after(async () => {
    await app.close();
    await world.close();
  });

  it('counts the limits of its door, by account and by address, whatever its use case does; a request that does not fit is not counted', async () => {
    const person = await signedInAccount(world);
    const ask = (account: TestAccount, remoteAddress: string, title = 'a') =>
      app.inject({ method: 'POST', url: '/api/test/guarded', headers: bearer(account), payload: { title }, remoteAddress });
    const codes = async (times: number, askOnce: () => ReturnType<typeof ask>) => {
      const seen = new Set<number>();
      for (let time = 0; time < times; time += 1) seen.add((await askOnce()).statusCode);
      return [...seen];
    };
    const ofAccount = api.rateLimits['change-password'].most;
    const ofAddress = api.rateLimits.reset.most;
    assert.deepEqual(await codes(ofAccount + 5, () => ask(user, '203.0.113.90', 'too long')), [400]);
    assert.deepEqual(await codes(ofAccount, () => ask(user, '203.0.113.91')), [204]);
    assert.equal((await ask(user, '203.0.113.92')).statusCode, 429, 'one account, wherever it is');
    assert.deepEqual(await codes(ofAddress - ofAccount, () => ask(person, '203.0.113.91')), [204]);
    assert.equal((await ask(admin, '203.0.113.91')).statusCode, 429, 'one address, whoever it is');
    assert.equal((await ask(admin, '203.0.113.93')).statusCode, 204);
  });

  const bearer = (account: TestAccount) => ({ authorization: `Bearer ${account.token}` });
  const create = (account: TestAccount, payload: object, key?: string) =>
    app.inject({
      method: 'POST',
      url: '/api/test/create',
      headers: { ...bearer(account), ...(key ? { 'idempotency-key': key } : {}) },
      payload,
    });
  const written = async (subject: string) =>
    (await world.ctx.db.selectFrom('mail').select('id').where('subject', '=', subject).execute()).length;

  it('demands a session, then one of its authorities', async () => {
    assert.equal((await app.inject('/api/test/admin')).statusCode, 401);
    assert.equal((await app.inject({ url: '/api/test/admin', headers: bearer(user) })).statusCode, 403);
    assert.equal((await app.inject({ url: '/api/test/admin', headers: bearer(admin) })).statusCode, 204);
    assert.equal(
      (await app.inject({ url: '/api/test/any', headers: bearer(user) })).statusCode,
      204,
      'an empty demand is met by any authority',
    );
  });

  it('admits an account without any authority where a session is enough, and nowhere else', async () => {
    const account = await signedInAccount(world);
    await world.ctx.db.updateTable('app_user').set({ authorities: [] }).where('id', '=', account.id).execute();
    const status = async (path: string, given = account) =>
      (await app.inject({ url: `/api/test/${path}`, headers: bearer(given) })).statusCode;
    assert.equal(await status('session'), 204);
    assert.equal(await status('any'), 403);
    assert.equal((await create(account, { title: 'a' })).statusCode, 403);
    assert.equal(await status('link-or-session'), 403);
    assert.equal(await status('link-or-session', user), 200);
    assert.equal((await app.inject('/api/test/session')).statusCode, 401);
  });

  it('is made by the holder of a link, else by whom it names, and the account beside a link is only noted', async () => {
    const ask = async (path: string, account: TestAccount | null, link = '') => {
      const answer = await app.inject({ url: `/api/test/${path}${link}`, headers: account ? bearer(account) : {} });
      return answer.headers['x-app-error'] ?? (answer.json() as string);
    };
    const signer = (await startedProcess(world, user)).signerIds[0] ?? '';
    const key = (await mailedKeys(world.ctx, [signer])).get(signer);
    for (const path of ['link', 'link-or-session', 'link-or-anyone']) {
      assert.equal(await ask(path, null, `?user=${key}`), `signerLink ${signer} beside nobody`);
      assert.equal(await ask(path, user, `?user=${key}`), `signerLink ${signer} beside ${user.id}`);
      // A signer's id, or anything else that is no key of a link.
      for (const other of [signer, 's1'])
        assert.equal(await ask(path, null, `?user=${other}`), `signerLink ${nobodysSigner} beside nobody`);
    }
    assert.equal(await ask('link', user), 'signer.notFound');
    assert.equal(await ask('link', null), 'signer.notFound');
    assert.equal(await ask('link-or-session', user), `person ${user.id}`);
    assert.equal(await ask('link-or-session', null), 'request.unauthorized');
    assert.equal(await ask('link-or-anyone', user), 'visitor');
    assert.equal(await ask('link-or-anyone', null), 'visitor');
  });

  it('asks once who comes with a link and a session: also for a session that is over, and a key that is nobody’s', async () => {
    const draft = await startedProcess(world, user);
    const [signer = ''] = draft.signerIds;
    const key = (await mailedKeys(world.ctx, draft.signerIds)).get(signer) ?? '';
    const gone = await signedInAccount(world);
    await world.ctx.db.updateTable('session').set({ revoked_at: world.ctx.clock.now() }).where('user_id', '=', gone.id).execute();
    const told = async (asked: string, account: TestAccount) => {
      const url = `/api/test/link?user=${asked}`;
      let said = '';
      const { statements } = await costOf(async () => {
        said = (await app.inject({ method: 'GET', url, headers: bearer(account) })).json<string>();
      });
      return [statements.length, said];
    };
    assert.deepEqual(await told(key, user), [1, `signerLink ${signer} beside ${user.id}`]);
    assert.deepEqual(await told(key, gone), [1, `signerLink ${signer} beside nobody`]);
    assert.deepEqual(await told(crypto.randomUUID(), user), [1, `signerLink ${nobodysSigner} beside ${user.id}`]);
    await replaceLinks(world.ctx, signer);
    const refused = await app.inject({ method: 'GET', url: `/api/test/link?user=${key}`, headers: bearer(user) });
    assert.match(refused.body, /linkReplaced/);
  });

  it('answers 304 to who has the answer, until it is another one, and never to who may not have it', async () => {
    const ask = (tag: string, account: TestAccount | null = user) =>
      app.inject({ url: '/api/test/polled', headers: { ...(account ? bearer(account) : {}), 'if-none-match': tag } });
    const first = await ask('');
    const tag = String(first.headers['etag']);
    assert.deepEqual([first.statusCode, first.json(), first.headers['cache-control']], [200, 'waiting', 'no-store']);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const again = await ask(known);
      assert.deepEqual(
        [again.statusCode, again.body, again.headers['etag'], again.headers['cache-control']],
        [304, '', tag, 'no-store'],
        known,
      );
    }
    assert.equal((await ask(tag, null)).statusCode, 401);
    said = 'signed';
    const other = await ask(tag);
    assert.deepEqual([other.statusCode, other.json()], [200, 'signed']);
    assert.notEqual(other.headers['etag'], tag);
    said = 'waiting';
  });

  it('takes the Bearer scheme in letters of any size (RFC 9110 §11.1)', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await world.inject({ url: '/api/account', headers: { authorization: `${scheme} ${user.token}` } });
      assert.equal(answer.statusCode, 200, scheme);
    }
  });

  it('lets no field out that the wire does not name', async () => {
    assert.deepEqual((await app.inject('/api/test/open')).json(), { name: 'Ana' });
  });

  it('answers a 400 with the entity’s name: what its code is about, else whose room was asked', async () => {
    const { token } = user;
    const asked = async (method: 'POST' | 'PUT', url: string, payload: object) => {
      const { statusCode, headers, ...answer } = await world.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}` },
        payload,
      });
      const { entityName, fieldErrors } = answer.json<{ entityName: string; fieldErrors: { objectName: string }[] }>();
      return [
        statusCode,
        headers['x-app-error'],
        headers['x-app-params'],
        entityName,
        ...new Set(fieldErrors.map((one) => one.objectName)),
      ];
    };
    assert.deepEqual(await asked('POST', '/api/stakeholders', { name: 7 }), [
      400,
      'request.invalid',
      ...Array<string>(3).fill('stakeholder'),
    ]);
    const named = Array<string>(3).fill('signatureModel');
    assert.deepEqual(await asked('POST', '/api/create-signature-model', { ...defaultDigitalModel, name: ' ' }), [
      400,
      'model.nameRequired',
      ...named,
    ]);
    assert.deepEqual(
      await asked('POST', '/api/create-signature-model', {}),
      [400, 'request.invalid', '', '', ''],
      'the address names none',
    );
  });

  it('answers faults of fields with their names and kinds', async () => {
    const { statusCode, headers, ...answer } = await create(user, { title: 'too long' });
    assert.equal(statusCode, 400);
    assert.equal(headers['x-app-error'], 'request.invalid');
    assert.deepEqual(answer.json().fieldErrors, [{ objectName: '', field: 'title', message: 'Size' }]);
    assert.deepEqual(
      (await create(user, { count: 'x' })).json().fieldErrors.map((fault: { message: string }) => fault.message),
      ['NotNull', 'Pattern'],
    );
    assert.equal((await app.inject('/api/test/open?page=x')).statusCode, 400);
  });

  it('answers problem JSON with a sentence in the language asked for', async () => {
    const answer = await app.inject({ url: '/api/test/admin', headers: { 'accept-language': 'es-AR,es;q=0.9' } });
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    assert.deepEqual(answer.json(), {
      type: 'about:blank',
      title: 'request.unauthorized',
      status: 401,
      detail: 'Su sesión terminó. Entre de nuevo.',
      errorKey: 'request.unauthorized',
      message: 'request.unauthorized',
      params: {},
      entityName: '',
      fieldErrors: [],
    });
  });

  it('answers a suspended contract with the detail of the catalogue', async () => {
    const answer = await app.inject('/api/test/refuse');
    assert.deepEqual([answer.statusCode, answer.json().detail], [403, 'Contract suspended']);
  });

  it('says nothing of an unexpected fault', async () => {
    const answer = await app.inject('/api/test/crash');
    assert.equal(answer.statusCode, 500);
    assert.ok(!answer.body.includes('1234'));
    assert.equal(answer.json().errorKey, 'server.unexpected');
  });

  it('answers broken JSON, an unknown address and a wrong method without a 5xx', async () => {
    const broken = await app.inject({
      method: 'POST',
      url: '/api/test/create',
      headers: { ...bearer(user), 'content-type': 'application/json' },
      payload: '{',
    });
    assert.equal(broken.statusCode, 400);
    assert.equal((await app.inject('/api/test/unknown')).statusCode, 404);
    assert.equal((await app.inject({ method: 'DELETE', url: '/api/test/open' })).statusCode, 404);
    const huge = await app.inject({
      method: 'POST',
      url: '/api/test/create',
      headers: bearer(user),
      payload: { title: 'x'.repeat(5_000_000) },
    });
    assert.equal(huge.statusCode, 413);
  });

  it('acts once for one Idempotency-Key, also when both requests run at the same time', async () => {
    const [first, second] = await Promise.all([create(user, { title: 'once' }, 'k1'), create(user, { title: 'once' }, 'k1')]);
    const third = await create(user, { title: 'once' }, 'k1');
    assert.equal(await written('once'), 1);
    assert.deepEqual([second.json(), third.json()], [first.json(), first.json()]);
  });

  it('keeps the keys of two users apart', async () => {
    await create(user, { title: 'two' }, 'k2');
    await create(admin, { title: 'two' }, 'k2');
    assert.equal(await written('two'), 2);
  });

  it('refuses the same key with another request', async () => {
    await create(user, { title: 'a' }, 'k3');
    const other = await create(user, { title: 'b' }, 'k3');
    assert.deepEqual([other.statusCode, other.headers['x-app-error']], [409, 'request.idempotencyMismatch']);
  });

  it('gives the key back, and leaves nothing behind, when the act failed', async () => {
    failNext = true;
    assert.equal((await create(user, { title: 'retry' }, 'k4')).statusCode, 409);
    failNext = false;
    assert.equal(await written('retry'), 0);
    assert.equal((await create(user, { title: 'retry' }, 'k4')).statusCode, 200);
    assert.equal(await written('retry'), 1);
  });

  it('does not bind what it would not keep: a role in a company for nobody in particular, keys that strangers share, a limit of accounts without one', async () => {
    const open = { method: 'POST', path: 'api/test/unkept', access: 'public', kind: 'empty' } as const;
    for (const call of [
      api.defineCall({ ...open, company: 'admin' }),
      api.defineCall({ ...open, idempotent: true }),
      api.defineCall({ ...open, limits: ['change-password'] }),
    ]) {
      const building = buildApp(world.ctx, [(server, ctx) => route(server, ctx, call as api.Call, async () => undefined as never)]);
      await assert.rejects(building, /declares what is not kept/);
    }
  });

  it('acts each time without a key', async () => {
    await create(user, { title: 'each' });
    await create(user, { title: 'each' });
    assert.equal(await written('each'), 2);
  });

  it('takes the address of the client behind as many proxies as are trusted, never one that the client made up', async () => {
    const ask = async (trustedProxies: number, forwarded: string) => {
      const behind = await buildApp({ ...world.ctx, config: { ...world.ctx.config, trustedProxies } }, [
        (server, ctx) => route(server, ctx, calls.address, async (_c, { actor }) => actor.from.ip),
      ]);
      const answer = await behind.inject({
        url: '/api/test/address',
        headers: { 'x-forwarded-for': forwarded },
        remoteAddress: '10.0.0.1',
      });
      await behind.close();
      return answer.json();
    };
    assert.equal(await ask(0, '1.1.1.1, 203.0.113.5'), '10.0.0.1');
    assert.equal(await ask(1, '1.1.1.1, 203.0.113.5'), '203.0.113.5');
    assert.equal(await ask(2, '1.1.1.1, 203.0.113.5, 10.0.0.2'), '203.0.113.5');
  });
});
