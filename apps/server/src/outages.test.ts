import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { defaultDigitalModel } from '@lavra/domain';
import pg from 'pg';
import { overHttp, type Program, startProgram, stopProgram } from './testing/program.ts';
import { startSystemPostgres, systemPostgresBinaries } from './testing/system-postgres.ts';

const ana = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Tinteiro7' };

async function signedIn({ url }: Program) {
  const { call } = overHttp(url);
  assert.equal((await call(api.register, { body: ana })).status, 200);
  const entered = await call(api.authenticate, { body: { username: ana.email, password: ana.password } });
  return { call, token: String(entered.headers['authorization']).replace('Bearer ', '') };
}

/** Six people who write without a pause; what was acknowledged, and every answer that was neither that nor a plain "come again". */
function startLoad({ call, token }: Awaited<ReturnType<typeof signedIn>>) {
  const acknowledged: string[] = [];
  const [odd, refused] = [[] as string[], [] as string[]];
  let stopping = false;
  const write = async (person: number) => {
    for (let n = 0; !stopping; n += 1) {
      const name = `modelo ${person} ${n}`;
      const body = { ...defaultDigitalModel, name };
      const answer = await call(api.signatureModels.create, { token, body }).catch((error: Error) => error);
      if (answer instanceof Error) odd.push(answer.message);
      else if (answer.status === 201) acknowledged.push(name);
      else if (answer.status === 503 && ['server.databaseAway', 'server.outcomeUnknown'].includes(answer.code ?? '')) {
        refused.push(answer.code ?? '');
        if (!answer.headers['retry-after']) odd.push('without Retry-After');
      } else odd.push(`${answer.status} ${answer.code}`);
      await sleep(5);
    }
  };
  const people = Array.from({ length: 6 }, (_, person) => write(person));
  return {
    acknowledged,
    odd,
    refused,
    async stop() {
      stopping = true;
      await Promise.all(people);
    },
  };
}

/**
 * People who only read, before and during a restart that takes a second or two: they wait for it, and none of them has to ask again. Where
 * the machine was too busy for such a one it is done again.
 */
async function everyReadAnswered({ call, token }: Awaited<ReturnType<typeof signedIn>>, restart: () => void, tries = 5): Promise<void> {
  const asked = Array.from({ length: 60 }, async (_, turn) => {
    await sleep(turn * 2);
    const { status, code } = await call(api.signatureModels.list, { token, query: {} });
    return code ?? status;
  });
  // Some are under way, and the others come while there is no database.
  await sleep(60);
  const began = performance.now();
  restart();
  const took = performance.now() - began;
  const answers = [...new Set(await Promise.all(asked))];
  if (took > 3000 && tries > 1) return everyReadAnswered({ call, token }, restart, tries - 1);
  assert.deepEqual(answers, [200], `${Math.round(took)} ms`);
}

async function until(condition: () => Promise<boolean> | boolean, what: string, seconds = 60): Promise<void> {
  for (let waited = 0; !(await condition()); waited += 100) {
    assert.ok(waited < seconds * 1000, `not within ${seconds} s: ${what}`);
    await sleep(100);
  }
}

const health = async ({ url }: Program) => (await fetch(`${url}/management/health`)).status;

describe('the program survives without a hand', { timeout: 300_000 }, () => {
  const directories: string[] = [];
  after(async () => {
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  });
  const newDirectory = async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lavra-outage-'));
    await chmod(directory, 0o755);
    directories.push(directory);
    return directory;
  };

  it(
    'a PostgreSQL that restarts, stops and loses its backends, under load; acknowledged work is whole and jobs go on',
    {
      skip: systemPostgresBinaries() ? false : 'apt-get install postgresql',
    },
    async () => {
      const postgres = await startSystemPostgres();
      const program = await startProgram({ LAVRA_DATA_DIR: await newDirectory(), DATABASE_URL: postgres.url });
      const other = new pg.Client(postgres.url);
      other.on('error', () => {});
      try {
        const person = await signedIn(program);
        const load = startLoad(person);
        const goesOn = async () => {
          const before = load.acknowledged.length;
          await until(() => load.acknowledged.length > before + 10, 'writing goes on');
          await until(async () => (await health(program)) === 200, 'health is UP');
        };
        for (const mode of ['fast', 'immediate', 'fast'] as const) {
          postgres.halt(mode);
          await until(async () => (await health(program)) === 503, 'health is DOWN');
          assert.equal((await fetch(`${program.url}/management/health/liveness`)).status, 200);
          // A mail that is due meanwhile, and a while for every timer to notice.
          await sleep(mode === 'immediate' ? 12_000 : 1000);
          postgres.resume();
          await goesOn();
        }
        await everyReadAnswered(person, () => {
          postgres.halt('fast');
          postgres.resume();
        });
        await goesOn();
        await other.connect();
        for (let n = 0; n < 10; n += 1) {
          await other.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`,
          );
          await sleep(150);
        }
        await goesOn();
        await load.stop();
        assert.deepEqual(load.odd, []);
        assert.ok(load.refused.length > 0, 'the outages were seen');
        const kept = await person.call(api.signatureModels.list, { token: person.token, query: {} });
        const names = new Set(kept.body.items.map(({ name }) => name));
        assert.deepEqual(
          load.acknowledged.filter((name) => !names.has(name)),
          [],
        );
        // Jobs are still taken: the mail of one more registration goes out.
        const body = { ...ana, login: 'bia@exemplo.com.br', email: 'bia@exemplo.com.br' };
        assert.equal((await person.call(api.register, { body })).status, 200);
        const unsent = async () => (await other.query('select 1 from mail where sent_at is null')).rowCount;
        await until(async () => (await unsent()) === 0, 'the mail is sent');
        assert.equal(program.child.exitCode, null);
      } finally {
        await other.end().catch(() => {});
        await stopProgram(program, 'SIGTERM');
        postgres.stop();
      }
    },
  );

  it('its embedded PostgreSQL killed as a system short of memory does it, under load', async () => {
    const directory = await newDirectory();
    const program = await startProgram({ LAVRA_DATA_DIR: directory });
    /** 0: none has said yet that it runs. */
    const postmaster = async () => Number((await readFile(join(directory, 'pg18/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
    try {
      const person = await signedIn(program);
      const load = startLoad(person);
      for (let n = 0; n < 2; n += 1) {
        const before = load.acknowledged.length;
        await until(() => load.acknowledged.length > before + 10, 'writing goes on');
        const killed = await postmaster();
        process.kill(killed, 'SIGKILL');
        // It may be back before anybody has asked for its health.
        await until(async () => ![killed, 0].includes(await postmaster()), 'another server runs');
        await until(async () => (await health(program)) === 200, 'health is UP');
      }
      const before = load.acknowledged.length;
      await until(() => load.acknowledged.length > before + 10, 'writing goes on');
      await load.stop();
      assert.deepEqual(load.odd, []);
      const names = new Set(
        (await person.call(api.signatureModels.list, { token: person.token, query: {} })).body.items.map(({ name }) => name),
      );
      assert.deepEqual(
        load.acknowledged.filter((name) => !names.has(name)),
        [],
      );
    } finally {
      assert.equal(await stopProgram(program, 'SIGTERM'), 0);
    }
  });
});
