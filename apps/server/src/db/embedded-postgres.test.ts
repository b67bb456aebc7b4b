import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const supervisor = new URL('./embedded-postgres.ts', import.meta.url).href;

async function query(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ host: server.host, user: server.user, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

/** The same, once the server is back. */
async function queryWhenBack(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await query(server, text);
    } catch (error) {
      if (attempt >= 300) throw error;
      await sleep(100);
    }
  }
}

const postmaster = async (dataDir: string) => Number((await readFile(join(dataDir, 'pg18/postmaster.pid'), 'utf8')).split('\n')[0]);

/** Another program that starts the database and then stays. */
async function otherProgram(dataDir: string) {
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(supervisor)});
    const server = await startEmbeddedPostgres(${JSON.stringify(dataDir)});
    console.log('ready');
    process.on('message', async () => { await server.stop(); process.exit(0); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

describe('the embedded PostgreSQL', { timeout: 120_000 }, () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lavra-pg-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('syncs what it commits, checks its pages and listens to no network', async () => {
    const server = await startEmbeddedPostgres(dataDir);
    const settings = await query(
      server,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses') order by name`,
    );
    await server.stop();
    assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '',
      synchronous_commit: 'on',
    });
  });

  it('is adopted after its program was killed, with everything that was committed', async () => {
    const program = await otherProgram(dataDir);
    program.kill('SIGKILL');
    await once(program, 'exit');
    const server = await startEmbeddedPostgres(dataDir);
    assert.equal(server.adopted, true);
    await query(server, 'create table kept (n integer); insert into kept values (1)');
    await server.stop();
    const next = await startEmbeddedPostgres(dataDir);
    assert.equal(next.adopted, false);
    assert.deepEqual(await query(next, 'select n from kept'), [{ n: 1 }]);
    await next.stop();
  });

  it('is started again by itself after the server was killed in mid-write, with everything that was acknowledged', async () => {
    const told: string[] = [];
    const server = await startEmbeddedPostgres(dataDir, (line) => told.push(line));
    await query(server, 'create table written (n integer primary key)');
    let acknowledged = 0;
    const writing = (async () => {
      for (;;) {
        await query(server, `insert into written values (${acknowledged + 1})`);
        acknowledged += 1;
      }
    })().catch(() => {});
    for (let waited = 0; waited < 300 || acknowledged === 0; waited += 20) await sleep(20);
    process.kill(await postmaster(dataDir), 'SIGKILL');
    await writing;
    const [row] = await queryWhenBack(server, 'select count(*)::integer as count from written');
    assert.ok(acknowledged > 0);
    assert.ok((row?.['count'] as number) >= acknowledged, `${row?.['count']} rows of ${acknowledged} acknowledged`);
    // Killed twice, watched twice.
    process.kill(await postmaster(dataDir), 'SIGKILL');
    await queryWhenBack(server, 'select 1');
    await server.stop();
    await assert.rejects(query(server, 'select 1'));
    assert.match(told.join('\n'), /has ended: it is started again.*is back/s);
  });

  it('is started again by whichever program notices, also one that adopted it, and stops with the last of them', async () => {
    const program = await otherProgram(dataDir);
    const server = await startEmbeddedPostgres(dataDir);
    assert.equal(server.adopted, true);
    for (let n = 0; n < 2; n += 1) {
      process.kill(await postmaster(dataDir), 'SIGKILL');
      await queryWhenBack(server, 'select 1');
    }
    await server.stop();
    assert.ok(await postmaster(dataDir), 'the other program goes on with it');
    const single = { host: server.host, user: server.user } as EmbeddedPostgres;
    assert.deepEqual(await query(single, 'select 1 as one'), [{ one: 1 }]);
    program.send('stop');
    await once(program, 'exit');
    await assert.rejects(query(single, 'select 1'));
  });

  it('is never replaced by an empty one when its files vanish under it', async () => {
    const told: string[] = [];
    const place = await mkdtemp(join(tmpdir(), 'lavra-pg-'));
    const server = await startEmbeddedPostgres(place, (line) => told.push(line));
    const pid = await postmaster(place);
    await rm(place, { recursive: true, force: true });
    process.kill(pid, 'SIGKILL');
    for (let waited = 0; !told.join().includes('is gone') && waited < 20_000; waited += 100) await sleep(100);
    assert.match(told.join(), /is gone/);
    assert.equal(await stat(join(place, 'pg18')).catch(() => null), null);
    server.release();
  });

  it(
    'started by root belongs to a user that nothing else runs as, also when an older version gave it to nobody',
    {
      skip: process.getuid?.() === 0 ? false : 'only root can give files away',
    },
    async () => {
      const place = await mkdtemp(join(tmpdir(), 'lavra-pg-'));
      const server = await startEmbeddedPostgres(place);
      await query(server, 'create table kept (n integer)');
      await server.stop();
      execFileSync('chown', ['-R', '65534:65534', join(place, 'pg18'), join(place, 'pg18-socket')]);
      const next = await startEmbeddedPostgres(place);
      assert.deepEqual(await query(next, 'select n from kept'), []);
      const asNobody = (...command: string[]) =>
        spawnSync(command[0] as string, command.slice(1), { uid: 65_534, gid: 65_534, cwd: '/', encoding: 'utf8' });
      // The address of the socket and of the files is all that a stranger needs to know: it opens neither.
      for (const path of [next.host, join(place, 'pg18')]) assert.match(asNobody('ls', path).stderr, /Permission denied/, path);
      const script = `const socket = require('node:net').connect(${JSON.stringify(join(next.host, '.s.PGSQL.5432'))});
      socket.on('connect', () => console.log('opened')).on('error', (error) => console.log(error.code));`;
      assert.equal(asNobody(process.execPath, '-e', script).stdout.trim(), 'EACCES');
      await next.stop();
      await rm(place, { recursive: true, force: true });
    },
  );

  it('is shared by two programs and stops with the last one', async () => {
    const program = await otherProgram(dataDir);
    const server = await startEmbeddedPostgres(dataDir);
    assert.equal(server.adopted, true);
    program.send('stop');
    await once(program, 'exit');
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
    await server.stop();
    await assert.rejects(query(server, 'select 1'));
  });

  it('starts although the numbers in its lock files belong to another program by now', { skip: process.platform !== 'linux' }, async () => {
    const server = await startEmbeddedPostgres(dataDir);
    await server.stop();
    const lock = `${process.pid}\n${dataDir}/pg18\n1700000000\n5432\n${server.host}\n\n`;
    await writeFile(join(dataDir, 'pg18/postmaster.pid'), lock);
    await writeFile(join(server.host, '.s.PGSQL.5432.lock'), lock);
    const next = await startEmbeddedPostgres(dataDir);
    assert.equal(next.adopted, false);
    await next.stop();
  });

  it('works where the path is too long for a socket', async () => {
    const long = join(dataDir, 'x'.repeat(100));
    const server = await startEmbeddedPostgres(long);
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
    await server.stop();
  });
});
