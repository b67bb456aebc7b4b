import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Program, startProgram as start, stopProgram as stop } from './testing/program.ts';
import { startSystemPostgres, type SystemPostgres, systemPostgresBinaries } from './testing/system-postgres.ts';

const post = (address: string, body: object) =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const ana = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Tinteiro7' };
const enter = (url: string) => post(`${url}/api/authenticate`, { username: ana.email, password: ana.password });

describe('the program', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lavra-main-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('prints its address, the mailbox and how the first account comes about, and knows it on the next start', async (t) => {
    const first = await start({ LAVRA_DATA_DIR: dataDir });
    assert.match(first.said, /Caixa de correio \(desenvolvimento\): http:/);
    const people = /Pessoas de faz de conta com certificado digital: (http:\S+)/.exec(first.said)?.[1] ?? '';
    assert.match(await (await fetch(people)).text(), /529\.982\.247-25.*BIRDID/s);
    assert.match(first.said, /Primeira conta: abra .*\/account\/register/);
    assert.equal((await post(`${first.url}/api/register`, ana)).status, 200);
    assert.equal(await stop(first, 'SIGTERM'), 0);
    const second = await start({ LAVRA_DATA_DIR: dataDir });
    // Told, not asserted: another program's minute is no fault of this one.
    t.diagnostic(`ready again in ${second.seconds} s`);
    assert.doesNotMatch(second.said, /Primeira conta/);
    assert.equal((await enter(second.url)).status, 200);
    assert.equal(await stop(second, 'SIGINT'), 0);
  });

  it('goes on where it was after kill -9, sessions included', async () => {
    const killed = await start({ LAVRA_DATA_DIR: dataDir });
    const authorization = (await enter(killed.url)).headers.get('authorization') ?? '';
    await stop(killed, 'SIGKILL');
    const next = await start({ LAVRA_DATA_DIR: dataDir });
    assert.equal((await fetch(`${next.url}/api/account`, { headers: { authorization } })).status, 200);
    assert.equal(await stop(next, 'SIGTERM'), 0);
  });

  it('keeps its secret readable by its owner only', async () => {
    const mode = execFileSync('stat', ['-c', '%a', join(dataDir, 'secret')], { encoding: 'utf8' }).trim();
    assert.equal(mode, '600');
    assert.ok((await readFile(join(dataDir, 'secret'), 'utf8')).length >= 32);
  });

  it('refuses to start with a configuration that cannot work, naming every fault', async () => {
    await assert.rejects(start({ LAVRA_DATA_DIR: dataDir, LAVRA_PROFILE: 'prod', LAVRA_SSO: 'true' }), (error: Error) => {
      for (const name of ['LAVRA_PUBLIC_URL', 'SMTP_URL', 'LAVRA_OIDC_PROVIDERS']) assert.ok(error.message.includes(name), error.message);
      return true;
    });
  });
});

describe('a PostgreSQL named by DATABASE_URL', { skip: systemPostgresBinaries() ? false : 'apt-get install postgresql' }, () => {
  let postgres: SystemPostgres;
  let dataDir: string;
  let environment: Record<string, string>;
  before(async () => {
    postgres = await startSystemPostgres();
    dataDir = await mkdtemp(join(tmpdir(), 'lavra-main-'));
    environment = {
      LAVRA_DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      LAVRA_SECRET: 'one secret that all nodes of these tests share',
    };
  });
  after(async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('serves two nodes at once with the same schema and the same queries', async () => {
    const nodes = await Promise.all([start(environment), start(environment)]);
    const [one, two] = nodes as [Program, Program];
    assert.equal((await post(`${one.url}/api/register`, ana)).status, 200);
    const authorization = (await enter(one.url)).headers.get('authorization') ?? '';
    const lists = await fetch(`${two.url}/api/buildProcessesInfos?page=0&size=10`, { headers: { authorization } });
    assert.equal(lists.status, 200);
    assert.equal((await fetch(`${two.url}/api/buildCounterInfos`, { headers: { authorization } })).status, 200);
    assert.equal(await stop(one, 'SIGTERM'), 0);
    assert.equal(await stop(two, 'SIGTERM'), 0);
  });

  it('has a node that only runs jobs tell its health and its metrics where it listens, and nothing else; its start is one line of the log', async () => {
    const token = 'only-who-watches-this-installation-knows-it';
    const worker = await start({
      ...environment,
      LAVRA_SERVICES: 'worker',
      LAVRA_METRICS_TOKEN: token,
      LAVRA_LOG_LEVEL: 'info',
    });
    const ask = (path: string, headers = {}) => fetch(`${worker.url}${path}`, { headers });
    for (const path of ['', '/liveness', '/readiness']) assert.equal((await ask(`/management/health${path}`)).status, 200, path);
    assert.equal((await ask('/management/prometheus')).status, 401);
    assert.match(await (await ask('/management/prometheus', { authorization: `Bearer ${token}` })).text(), /^# HELP lavra_job_seconds /m);
    for (const path of ['/', '/login', '/api/account', '/i18n/pt-br.json']) assert.equal((await ask(path)).status, 404, path);
    const told = () =>
      worker.said
        .split(/(?<=\n)/)
        .filter((line) => line.startsWith('{') && line.endsWith('\n'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (let waited = 0; waited < 10_000 && !told().some(({ msg }) => msg === 'started'); waited += 20) await sleep(20);
    const [started, ...again] = told().filter(({ msg }) => msg === 'started');
    assert.deepEqual([started?.['profile'], started?.['storage'], again], ['dev', 'disk', []]);
    assert.equal(await stop(worker, 'SIGTERM'), 0);
  });
});
