import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readlink, rm, stat } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Program, startProgram, startRefused, stopProgram } from './testing/program.ts';
import { startSystemPostgres, systemPostgresBinaries } from './testing/system-postgres.ts';

/** What an operator is promised between SIGTERM and the end. */
const PROMISED_MS = 5000;

const main = new URL('./main.ts', import.meta.url).pathname;

/** The program, not waited for. */
function spawnProgram(environment: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', LAVRA_LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const says = async (words: string) => {
    for (let waited = 0; !said.includes(words); waited += 50) {
      assert.ok(waited < 30_000 && child.exitCode === null, `it never said "${words}": ${said}`);
      await sleep(50);
    }
  };
  return { child, said: () => said, says };
}

/** A machine that stands still for a second is no fault of the program's: where it was late it is tried three times, which a fault is met in. */
async function inOneOfThree(take: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const begin = performance.now();
    try {
      return await take();
    } catch (error) {
      // The program goes a moment before the time that was promised is over, whatever is left.
      if (tries === 3 || performance.now() - begin < PROMISED_MS - 200) throw error;
    }
  }
}

describe('a program that is told to end', { timeout: 180_000 }, () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-life-'));
    await chmod(directory, 0o755);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const start = (environment: Record<string, string> = {}) => startProgram({ LAVRA_DATA_DIR: join(directory, 'data'), ...environment });

  async function endsInTime(program: Program): Promise<void> {
    const begin = performance.now();
    assert.equal(await stopProgram(program, 'SIGTERM'), 0);
    assert.ok(performance.now() - begin < PROMISED_MS, `${Math.round(performance.now() - begin)} ms`);
    // In order, and the database too: nothing of its own is left behind.
    assert.equal(await stat(join(directory, 'data/pg18/postmaster.pid')).catch(() => null), null);
  }

  it('ends within five seconds while clients keep their connections, and cuts no answer', async () => {
    const program = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const odd: string[] = [];
    let ended = false;
    const ask = () =>
      new Promise<string>((resolve) => {
        get(`${program.url}/i18n/pt-br.json`, { agent }, (answer) => {
          let length = 0;
          answer.on('data', (chunk: Buffer) => (length += chunk.length));
          answer.on('end', () => resolve(answer.complete && (answer.statusCode === 503 || length > 1000) ? 'whole' : 'cut'));
          answer.on('error', () => resolve('cut'));
          answer.on('close', () => resolve(answer.complete ? 'whole' : 'cut'));
        }).on('error', () => resolve('refused'));
      });
    const clients = Array.from({ length: 20 }, async () => {
      while (!ended) {
        const outcome = await ask();
        if (outcome === 'cut') odd.push(outcome);
        if (outcome === 'refused') await sleep(20);
      }
    });
    await sleep(500);
    await endsInTime(program);
    ended = true;
    await Promise.all(clients);
    agent.destroy();
    assert.deepEqual(odd, []);
  });

  it('answers a request that was half sent, and does not wait for one that never ends', () =>
    inOneOfThree(async () => {
      const program = await start();
      const { port } = new URL(program.url);
      const body = JSON.stringify({ username: 'ninguem@exemplo.com.br', password: 'Tinteiro7' });
      const head = `POST /api/authenticate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      const half = async () => {
        const socket = connect(Number(port), '127.0.0.1');
        await once(socket, 'connect');
        socket.on('error', () => {});
        socket.write(head + body.slice(0, 10));
        return socket;
      };
      const [finished] = [await half(), await half()];
      await sleep(300);
      const answered = once(finished, 'data');
      const ending = endsInTime(program);
      await sleep(500);
      finished.write(body.slice(10));
      assert.match(String((await answered)[0]), /^HTTP\/1\.1 401 /);
      await ending;
    }));

  it('takes two signals at the same moment for one, as Ctrl-C sends them through npm', async () => {
    const program = await start();
    const ended = once(program.child, 'exit');
    program.child.kill('SIGINT');
    program.child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  it('ends in the middle of its start too, and leaves no database running', async () => {
    for (const wait of [300, 900, 1500])
      await inOneOfThree(async () => {
        const { child } = spawnProgram({ LAVRA_DATA_DIR: join(directory, 'data') });
        await sleep(wait);
        child.kill('SIGTERM');
        await once(child, 'exit');
        assert.equal(await stat(join(directory, 'data/pg18/postmaster.pid')).catch(() => null), null, `${wait} ms`);
      });
  });
});

describe('a start', { timeout: 240_000 }, () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-life-'));
    await chmod(directory, 0o755);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('that fails leaves no database running', async () => {
    const dataDir = join(directory, 'failed');
    const s3 = { S3_BUCKET: 'b', S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
    const { code } = await startRefused({ LAVRA_DATA_DIR: dataDir, ...s3 });
    assert.equal(code, 1);
    assert.ok(await stat(join(dataDir, 'pg18/PG_VERSION')), 'the database had been made');
    assert.equal(await stat(join(dataDir, 'pg18/postmaster.pid')).catch(() => null), null);
  });

  it('at the same moment as another over one new folder: both come up', async () => {
    const dataDir = join(directory, 'closed', 'shared');
    const environment = { LAVRA_DATA_DIR: dataDir };
    // Started by root, the database's user cannot enter here: it lives elsewhere, which both must agree about too.
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const programs = await Promise.all([startProgram(environment), startProgram(environment)]);
    for (const { url } of programs) assert.equal((await fetch(`${url}/management/health`)).status, 200);
    assert.deepEqual(await Promise.all(programs.map((program) => stopProgram(program, 'SIGTERM'))), [0, 0]);
    const elsewhere = await readlink(join(dataDir, 'pg18')).catch(() => null);
    if (elsewhere) await rm(dirname(elsewhere), { recursive: true });
  });

  it(
    'waits for a database that is away or missing and says so without its password, goes on when it is there, and ends when told',
    {
      skip: systemPostgresBinaries() ? false : 'apt-get install postgresql',
    },
    async () => {
      const postgres = await startSystemPostgres();
      const address = new URL(postgres.url);
      const environment = { LAVRA_DATA_DIR: join(directory, 'waits'), DATABASE_URL: postgres.url };
      try {
        postgres.halt('fast');
        const told = spawnProgram(environment);
        await told.says('Waiting for the database');
        assert.ok(told.said().includes(`at 127.0.0.1:${address.port} (DATABASE_URL): `), told.said());
        assert.ok(!told.said().includes(address.password));
        told.child.kill('SIGTERM');
        assert.deepEqual(await once(told.child, 'exit'), [0, null]);

        const starting = startProgram(environment);
        await sleep(1500);
        postgres.resume();
        const program = await starting;
        // And ends in time while the database is away again.
        postgres.halt('fast');
        await sleep(1000);
        const begin = performance.now();
        assert.equal(await stopProgram(program, 'SIGTERM'), 0);
        assert.ok(performance.now() - begin < PROMISED_MS, `${Math.round(performance.now() - begin)} ms`);
        postgres.resume();

        const missing = spawnProgram({
          ...environment,
          DATABASE_URL: Object.assign(new URL(postgres.url), { pathname: '/restored' }).href,
        });
        await missing.says('Waiting for the database "restored"');
        const client = new pg.Client(postgres.url);
        await client.connect();
        await client.query('create database restored');
        await client.end();
        await missing.says('The database answers');
        missing.child.kill('SIGTERM');
        assert.deepEqual(await once(missing.child, 'exit'), [0, null]);
      } finally {
        postgres.stop();
      }
    },
  );
});
