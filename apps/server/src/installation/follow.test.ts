import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { compose, type Installation, openLog } from '../compose.ts';
import { enterCertificates, writeList } from '../features/trust-lists/public-authorities.store.ts';
import { followedTrust } from '../features/trust-lists/live-trust.ts';
import { loggerFor } from '../loggers.ts';
import { signedInAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp, testPublicUrl } from '../testing/app.ts';
import { follow, type Following } from './follow.ts';
import { followedLoggers } from './follow-loggers.ts';
import { writeLoggerLevel } from './logger-levels.store.ts';

const lists = process.env['LAVRA_ICP_BRASIL'] ?? resolve(import.meta.dirname, '../../../../../shared/icp-brasil');
const pem = join(lists, 'icp-brasil-cas.pem');
const skip = existsSync(pem) ? false : 'set LAVRA_ICP_BRASIL to a folder with icp-brasil-cas.pem';

const silent = () => openLog({ logLevel: 'error' }, { write: () => {} });

/** Looks until it is so; a minute is none where nodes look every few milliseconds. */
async function becomes(holds: () => boolean): Promise<void> {
  for (let look = 0; look < 3000 && !holds(); look += 1) await sleep(20);
  assert.ok(holds());
}

describe('two nodes over one database', () => {
  let one: TestApp;
  let other: Installation;
  const followings: Following[] = [];
  before(async () => {
    one = await startTestApp({ log: silent() });
    const { config, clock, workers } = one.ctx;
    const here = { config, connection: one.connection, publicUrl: testPublicUrl, clock, workers, timestamps: null, mailboxUrl: null };
    other = await compose({ ...here, background: false, log: silent() });
    // As a node does every five seconds.
    for (const ctx of [one.ctx, other.ctx]) followings.push(follow(ctx, [followedLoggers, followedTrust], 20));
  });
  after(async () => {
    for (const { stop } of followings) stop();
    await other.close();
    await one.close();
  });

  it('speak as loudly as an administrator has said at either of them', async () => {
    const { token } = await signedInAccount(one);
    const levels = () => [one.ctx, other.ctx].map(({ log }) => loggerFor(log, 'jobs').level);
    const change = (configuredLevel: api.LogLevel | null) =>
      one.call(api.changeLogger, { token, params: { name: 'jobs' }, body: { configuredLevel } });
    await change('DEBUG');
    await becomes(() => levels().every((level) => level === 'debug'));
    const authorization = `Bearer ${token}`;
    const url = '/management/loggers/jobs';
    const back = await other.app.inject({ method: 'POST', url, headers: { authorization }, payload: { configuredLevel: null } });
    assert.equal(back.statusCode, 204);
    await becomes(() => levels().every((level) => level === 'error'));
  });

  it('read what was changed where it was, and once more where that failed, and nothing else', async () => {
    let looked = 0;
    const look = () => ((looked += 1) === 1 ? Promise.reject(new Error('not this time')) : Promise.resolve());
    const following = follow(one.ctx, [{ mark: followedLoggers.mark, look }], 5);
    try {
      await becomes(() => looked === 2);
      await sleep(200);
      assert.equal(looked, 2);
      await writeLoggerLevel(one.ctx, 'audit', 'debug');
      await becomes(() => looked === 3);
      await sleep(200);
      assert.equal(looked, 3);
    } finally {
      following.stop();
    }
  });

  it('believe the authorities that were loaded at one of them', { skip }, async () => {
    const texts = readFileSync(pem, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const listed = texts.map((text) => {
      const der = Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64');
      return { der, fingerprint: createHash('sha256').update(der).digest('hex') };
    });
    const believed = ({ icpBrasil }: Pick<TestApp['ctx'], 'icpBrasil'>) => icpBrasil.anchors.length + icpBrasil.intermediates.length;
    assert.deepEqual([believed(one.ctx), believed(other.ctx)], [0, 0]);
    await other.ctx.transaction(async (tx) => {
      await enterCertificates(tx, listed);
      await writeList(tx, { source: 'upload', fileHash: 'a'.repeat(64) });
    });
    await becomes(() => believed(one.ctx) > 0 && believed(one.ctx) === believed(other.ctx));
  });
});
