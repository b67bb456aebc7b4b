import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { issueTimestampCertificate, startTimestampWorld, type Issuer, type TimestampWorld } from '@lavra/make-believe';
import { compose } from '../compose.ts';
import { outdated } from '../features.ts';
import { removeOutdated } from '../features/management/sweep-foundation.job.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { frozenClock } from '../testing/clock.ts';
import { readAllowedHost } from './allowed-target.ts';
import { findAnswer, keepAnswer } from './outside-answers.store.ts';
import { findRevocations, type RevocationQuestion } from './outside-revocations.ts';

const nothing = { certificates: [], crls: [], ocsps: [] };
const derOf = ({ certificate }: Issuer) => new Uint8Array(certificate.rawData);

let world: TimestampWorld;
let app: TestApp;
const clock = frozenClock();
before(async () => {
  world = await startTimestampWorld({ now: clock.now });
  const host = readAllowedHost(world.host);
  app = await startTestApp({ clock, config: { allowedPrivateHosts: host ? [host] : [] } });
});
after(async () => {
  await app.close();
  await world.close();
});

const ask = (change: Partial<RevocationQuestion>, ctx = app.ctx) =>
  findRevocations(ctx, {
    certificates: [derOf(world.authority)],
    anchors: [derOf(world.root)],
    known: nothing,
    completes: false,
    ...change,
  });
const kept = () => app.ctx.db.selectFrom('outside_answer').select(['url', 'expires_at']).orderBy('url').execute();
const subjects = (all: readonly { der: Uint8Array }[]) => all.map(({ der }) => Buffer.from(der).equals(derOf(world.authority)));

describe('revocation data from outside', () => {
  it('is asked of nobody for a certificate that reaches no anchor', async () => {
    const { unanchored, ...found } = await ask({});
    assert.deepEqual([found.crls, found.ocsps, found.unproven], [[], [], []]);
    assert.deepEqual(subjects(unanchored), [true]);
    const other = await startTimestampWorld({ now: clock.now });
    const chain = [derOf(world.authority), derOf(world.issuer), derOf(world.root)];
    await ask({ certificates: chain, anchors: [derOf(other.root)], completes: true });
    await other.close();
    assert.deepEqual(world.asked, []);
    assert.deepEqual(await kept(), []);
  });

  it('is asked of few addresses for what a container of an upload packs in, however many certificates it is', async () => {
    const nobody = await startTimestampWorld({ now: clock.now });
    await nobody.close();
    const packed = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        issueTimestampCertificate(nobody.issuer, `Número ${index}`, clock.now(), { issuer: `http://${world.host}/packed-${index}` }),
      ),
    );
    await ask({ certificates: packed.map(derOf), anchors: [derOf(world.root)], completes: true });
    const asked = world.asked.filter((what) => what.startsWith('GET /packed-'));
    assert.equal(asked.length, 16);
    world.asked.length = 0;
  });

  it('is not asked for what is known already', async () => {
    const first = await ask({ certificates: [derOf(world.authority), derOf(world.issuer)] });
    assert.equal(first.crls.length, 2);
    const asked = world.asked.length;
    await app.ctx.db.deleteFrom('outside_answer').execute();
    const second = await ask({ certificates: [derOf(world.authority), derOf(world.issuer)], known: { ...nothing, crls: first.crls } });
    assert.deepEqual([second.crls, second.unproven, world.asked.length], [[], [], asked]);
  });

  it('serves every node once it was fetched, and is asked for again after a day though it would hold for a week', async () => {
    const certificates = [derOf(world.authority), derOf(world.issuer)];
    await ask({ certificates });
    const { config, publicUrl } = app.ctx;
    const second = await compose({
      config,
      connection: app.connection,
      publicUrl,
      clock,
      timestamps: null,
      mailboxUrl: null,
      background: false,
    });
    const asked = world.asked.length;
    assert.equal((await ask({ certificates }, second.ctx)).crls.length, 2);
    assert.equal(world.asked.length, asked);
    clock.advance({ hours: 25 });
    await ask({ certificates }, second.ctx);
    assert.equal(world.asked.length, asked + 2);
    // Fetched by a clock that was ahead, and is set right: a revocation since would not be seen until that day had come and gone.
    clock.advance({ minutes: 2 });
    await app.ctx.db
      .updateTable('outside_answer')
      .set({ fetched_at: new Date(clock.now().getTime() + 30 * 86_400_000) })
      .execute();
    await ask({ certificates }, second.ctx);
    assert.equal(world.asked.length, asked + 4);
    await second.close();
  });

  it('is used as it is kept while it is in force and nobody answers, and never after', async () => {
    const certificates = [derOf(world.authority), derOf(world.issuer)];
    world.available['/issuer.crl'] = world.available['/root.crl'] = false;
    clock.advance({ days: 6 });
    assert.equal((await ask({ certificates })).crls.length, 2);
    clock.advance({ days: 2 });
    const { crls, unproven } = await ask({ certificates });
    assert.deepEqual([crls.length, unproven.length], [0, 2]);
    world.available['/issuer.crl'] = world.available['/root.crl'] = true;
    clock.advance({ minutes: 1 });
    assert.equal((await ask({ certificates })).crls.length, 2);
  });

  it('is not kept when it is something else than a list of this issuer', async () => {
    await app.ctx.db.deleteFrom('outside_answer').execute();
    const at = (path: string) => `http://${world.host}${path}`;
    // The issuer's certificate, another issuer's list, nothing, another way than the web's.
    for (const crl of [
      at('/issuer.cer'),
      at('/root.crl'),
      at('/missing'),
      'ldap://ldap.exemplo.com.br/cn=lista',
      'http://10.0.0.1/lista.crl',
    ]) {
      const leaf = await issueTimestampCertificate(world.issuer, 'Folha', clock.now(), { crl });
      const { crls, unproven } = await ask({ certificates: [derOf(leaf)], anchors: [derOf(world.issuer)] });
      assert.deepEqual([crls.length, unproven.length], [0, 1], crl);
    }
    assert.deepEqual(await kept(), []);
  });

  it('is not missed for a certificate that has ended', async () => {
    const leaf = await issueTimestampCertificate(world.issuer, 'Folha', new Date(clock.now().getTime() - 11 * 365 * 86_400_000));
    const { unproven } = await ask({ certificates: [derOf(leaf)], anchors: [derOf(world.issuer)] });
    assert.deepEqual(unproven, []);
  });
});

describe('kept answers', () => {
  const answer = (key: string, size: number, hours: number) => ({
    key,
    url: `http://exemplo.com.br/${key}`,
    body: new Uint8Array(size),
    expiresAt: new Date(clock.now().getTime() + hours * 3_600_000),
  });

  it('stay within their bound: the oldest go first', async () => {
    await app.ctx.db.deleteFrom('outside_answer').execute();
    for (const key of ['a', 'b', 'c']) {
      await keepAnswer(app.ctx, answer(key, 40, 1), 100);
      clock.advance({ seconds: 1 });
    }
    assert.equal(await findAnswer(app.ctx, 'a'), null);
    assert.equal((await findAnswer(app.ctx, 'c'))?.body.length, 40);
    await keepAnswer(app.ctx, answer('d', 101, 1), 100);
    assert.equal(await findAnswer(app.ctx, 'd'), null, 'larger than all of it');
  });

  it('are not given when their time is over, and swept', async () => {
    await keepAnswer(app.ctx, answer('e', 10, 1));
    await keepAnswer(app.ctx, answer('f', 10, 10));
    clock.advance({ hours: 2 });
    assert.equal(await findAnswer(app.ctx, 'e'), null);
    await removeOutdated(app.ctx, outdated);
    assert.deepEqual(
      (await kept()).map(({ url }) => url),
      ['http://exemplo.com.br/f'],
    );
  });
});
