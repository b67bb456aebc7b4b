import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { readConfig } from '../../config.ts';
import { openLog } from '../../compose.ts';
import { followLoggers } from '../../installation/follow-loggers.ts';
import { loggerFor } from '../../loggers.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

const token = 'a token that only the one who scrapes knows'.replaceAll(' ', '-');
/** What an environment may hold that nobody may read in a page. */
const secrets = {
  LAVRA_SECRET: 'the installation secret, which opens everything',
  DATABASE_URL: 'postgres://somebody:db-password@db.example.com/lavra?sslkey=db-key',
  SMTP_URL: 'smtps://postbote:mail-password@mail.example.com:465',
  TSA_URL: 'https://tsa-user:tsa-password@tsa.example.com/tsr?key=tsa-key',
  S3_BUCKET: 'lavra-files',
  S3_ENDPOINT: 'https://s3.example.com/in/a/path',
  S3_ACCESS_KEY_ID: 'AKIA-the-key-id',
  S3_SECRET_ACCESS_KEY: 'the-s3-secret',
  LAVRA_PSC_BIRDID_CLIENT_ID: 'psc-client',
  LAVRA_PSC_BIRDID_CLIENT_SECRET: 'psc-secret',
  LAVRA_METRICS_TOKEN: token,
  LAVRA_ALLOW_PRIVATE_FETCH: 'inner-host.example.com',
};
const hidden =
  'the installation secret|db-password|somebody|db-key|mail-password|postbote|tsa-password|tsa-user|tsa-key|AKIA|the-s3-secret|psc-client|psc-secret|inner-host|/in/a/path';

describe('administration of the installation', () => {
  let app: TestApp;
  let admin: TestAccount;
  let user: TestAccount;
  const lines: string[] = [];
  before(async () => {
    const { environment } = readConfig({ ...secrets, SOMEBODYS_PASSWORD: 'not-ours' });
    const log = openLog({ logLevel: 'warn' }, { write: (line: string) => void lines.push(line) });
    app = await startTestApp({ log, config: { environment, metricsToken: token } });
    admin = await signedInAccount(app);
    user = await signedInAccount(app);
  });
  after(() => app.close());

  const asAdmin = () => ({ token: admin.token });
  const prometheus = (bearer?: string) =>
    app.inject({ url: '/management/prometheus', headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });

  it('shows health with its components to administrators, and to nobody else', async () => {
    const { status, body } = await app.call(api.getInstallationHealth, asAdmin());
    assert.deepEqual([status, body.status, body.node.profile], [200, 'UP', 'dev']);
    const database = body.components.find(({ name }) => name === 'database');
    assert.deepEqual(database, { name: 'database', needed: true, status: 'UP', reason: null });
    assert.equal((await app.call(api.getInstallationHealth, { token: user.token })).status, 403);
    assert.equal((await app.call(api.getInstallationHealth)).status, 401);
    const asked = async (bearer?: string) =>
      (await app.inject({ url: '/management/health', headers: bearer ? { authorization: `Bearer ${bearer}` } : {} })).json();
    assert.deepEqual((await asked(admin.token)).components.database, { status: 'UP' });
    assert.deepEqual(await asked(user.token), { status: 'UP' });
    assert.deepEqual(await asked(), { status: 'UP' });
  });

  it('tells an administrator what is left to set up, in order, from what is so now', async () => {
    const setup = async () => Object.fromEntries((await app.call(api.getSetup, asAdmin())).body.map(({ name, state }) => [name, state]));
    const begun = await setup();
    assert.deepEqual(Object.keys(begun), [...api.setupSteps]);
    assert.deepEqual(begun, {
      address: 'advised',
      mail: 'open',
      administrator: 'advised',
      secondFactor: 'advised',
      icpBrasil: 'advised',
      timestamps: 'advised',
    });
    assert.equal((await app.call(api.sendTestMail, asAdmin())).body.isAccepted, true);
    await app.call(api.saveSecondFactorPolicy, { ...asAdmin(), body: { requiredOf: 'administrators' } });
    assert.deepEqual([(await setup())['mail'], (await setup())['secondFactor']], ['done', 'done']);
    await app.call(api.saveSecondFactorPolicy, { ...asAdmin(), body: { requiredOf: 'nobody' } });
    assert.equal((await setup())['secondFactor'], 'advised');
    await app.ctx.db
      .updateTable('app_user')
      .set({ authorities: ['ROLE_USER', 'ROLE_ADMIN'] })
      .where('id', '=', user.id)
      .execute();
    assert.equal((await setup())['administrator'], 'done');
    await app.ctx.db
      .updateTable('app_user')
      .set({ authorities: ['ROLE_USER'] })
      .where('id', '=', user.id)
      .execute();
    assert.equal((await app.call(api.getSetup, { token: user.token })).status, 403);
  });

  it('counts requests by the pattern of their address and never by the address', async () => {
    await app.inject('/api/processes/no-such-thing/somebody@example.com');
    await app.call(api.getSignatureProcess, { token: user.token, params: { id: '6b3c0a52-9d5e-4b5c-8f0e-5d3f4f1f9a11' } });
    const { body } = await app.call(api.getMetrics, asAdmin());
    assert.ok(body['http.server.requests'].all.count > 3);
    assert.ok((body['http.server.requests'].percode['200']?.count ?? 0) > 0);
    assert.ok((body.services['/api/account']?.['GET']?.count ?? 0) > 0);
    assert.ok((body.jvm['old_space']?.used ?? 0) > 0);
    assert.ok((body.databases['open']?.value ?? 0) > 0);
    assert.equal(body.samples.at.length, body.samples.rss.length);
    const told = JSON.stringify(body) + (await prometheus(token)).body;
    for (const personal of ['6b3c0a52', 'somebody@', admin.email, user.id, '127.0.0.1']) assert.ok(!told.includes(personal), personal);
  });

  it('lets Prometheus read with the token of the installation or an administrator’s session, and with nothing else', async () => {
    const { statusCode, body, headers } = await prometheus(token);
    assert.equal(statusCode, 200);
    assert.match(String(headers['content-type']), /^text\/plain/);
    for (const name of [
      'lavra_http_request_seconds_bucket{',
      'lavra_process_resident_memory_bytes',
      'lavra_database_connections{state="open"}',
    ])
      assert.ok(body.includes(name), name);
    assert.equal((await prometheus(admin.token)).statusCode, 200);
    assert.equal((await prometheus(user.token)).statusCode, 403);
    assert.equal((await prometheus(`${token}x`)).statusCode, 401);
    assert.equal((await prometheus()).statusCode, 401);
    const closed = await startTestApp();
    const answers = ['', 'null', 'undefined'].map((bearer) =>
      closed.inject({ url: '/management/prometheus', headers: { authorization: `Bearer ${bearer}` } }),
    );
    assert.deepEqual(
      (await Promise.all(answers)).map(({ statusCode: code }) => code),
      [401, 401, 401],
    );
    await closed.close();
  });

  it('tells what the program does, its workers and its heap, without environment, command line or addresses', async () => {
    const work = app.ctx.workers.run(new URL('../../testing/tasks.worker.ts', import.meta.url), 'spin', { ms: 1000 } as never);
    const look = async () => (await app.call(api.getThreadDump, asAdmin())).body;
    const busyIn = ({ threads }: api.ThreadDump) => threads.find(({ task }) => task === 'spin');
    let body = await look();
    // A process starts first; by the clock only so that a worker that never works ends the test.
    for (const end = performance.now() + 20_000; !busyIn(body) && performance.now() < end;) body = await look();
    await work;
    const busy = busyIn(body);
    assert.equal(busy?.threadState, 'RUNNABLE');
    assert.deepEqual(
      body.lanes.find(({ name }) => name === 'signing'),
      { ...body.lanes.find(({ name }) => name === 'signing'), working: 1, waiting: 0 },
    );
    const frames = body.threads[0]?.stackTrace ?? [];
    assert.ok(
      frames.some(({ fileName }) => fileName?.endsWith('get-thread-dump.ts')),
      JSON.stringify(frames),
    );
    assert.ok(body.heap.used > 0 && body.heap.spaces.length > 3 && body.heap.limit > body.heap.used);
    assert.ok(Object.keys(body.handles).length > 0);
    const told = JSON.stringify(body);
    for (const name of ['PATH', 'environmentVariables', 'commandLine', '127.0.0.1', process.env['HOME'] ?? '/root'])
      assert.ok(!told.includes(name), name);
  });

  it('changes what a part of the log says while it runs, keeps that for every node, and takes it back', async () => {
    const debug = () => loggerFor(app.ctx.log, 'jobs').debug('a word of the jobs');
    debug();
    const change = (name: string, configuredLevel: api.LogLevel | null) =>
      app.call(api.changeLogger, { ...asAdmin(), params: { name }, body: { configuredLevel } });
    assert.equal((await change('jobs', 'DEBUG')).status, 204);
    debug();
    assert.equal(lines.filter((line) => line.includes('a word of the jobs')).length, 1);
    const { body } = await app.call(api.getLoggers, asAdmin());
    assert.deepEqual(body.loggers['jobs'], { configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' });
    assert.deepEqual(body.loggers['ROOT'], { configuredLevel: null, effectiveLevel: 'WARN' });
    // Another node over the same database, whose start said something else.
    const other = { db: app.ctx.db, log: openLog({ logLevel: 'error' }, { write: () => {} }) };
    await followLoggers(other);
    assert.deepEqual(
      [other.log.level, loggerFor(other.log, 'jobs').level, loggerFor(other.log, 'http').level],
      ['error', 'debug', 'error'],
    );
    await change('ROOT', 'TRACE');
    await change('jobs', null);
    await followLoggers(other);
    assert.deepEqual([other.log.level, loggerFor(other.log, 'jobs').level], ['trace', 'trace']);
    await change('ROOT', null);
    await followLoggers(other);
    assert.deepEqual([other.log.level, app.ctx.log.level], ['error', 'warn']);
    assert.equal((await change('nobody', 'INFO')).status, 404);
    const kept = await app.ctx.db
      .selectFrom('audit_event')
      .select(['account_id', 'details'])
      .where('kind', '=', 'installation.logger')
      .execute();
    assert.equal(kept.length, 4);
    assert.deepEqual([kept[0]?.account_id, kept[0]?.details], [admin.id, { level: { before: null, after: 'debug' } }]);
  });

  it('shows configuration and environment without a secret: what nobody declared harmless is hidden', async () => {
    const environment = (await app.call(api.getEnvironment, asAdmin())).body;
    const config = (await app.call(api.getConfigProps, asAdmin())).body;
    const { properties = {} } = environment.propertySources[0] ?? {};
    assert.equal(properties['DATABASE_URL']?.value, 'postgres://db.example.com');
    assert.equal(properties['LAVRA_SECRET']?.value, '******');
    assert.equal(properties['LAVRA_PSC_BIRDID_CLIENT_SECRET']?.value, '******');
    assert.equal(properties['LAVRA_ALLOW_PRIVATE_FETCH']?.value, '******');
    assert.equal(properties['S3_BUCKET']?.value, 'lavra-files');
    assert.equal(properties['SOMEBODYS_PASSWORD'], undefined);
    const told = JSON.stringify([environment, config]);
    for (const secret of [...hidden.split('|'), token]) assert.ok(!told.includes(secret), secret);
    assert.deepEqual(config.contexts['lavra']?.beans['metrics']?.properties, { token: 'set' });
  });

  it('records no visits at a stranger’s', async () => {
    assert.deepEqual((await app.call(api.clarityEnable)).body, false);
  });
});
