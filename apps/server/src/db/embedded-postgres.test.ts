import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
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

describe('the embedded PostgreSQL', () => {
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

  it('recovers after the server itself was killed in mid-write', async () => {
    const server = await startEmbeddedPostgres(dataDir);
    await query(server, 'create table written (n integer primary key)');
    let acknowledged = 0;
    const writing = (async () => {
      for (;;) {
        await query(server, `insert into written values (${acknowledged + 1})`);
        acknowledged += 1;
      }
    })().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.kill(Number((await readFile(join(dataDir, 'pg18/postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL');
    await writing;
    const next = await startEmbeddedPostgres(dataDir);
    const [row] = await query(next, 'select count(*)::integer as count from written');
    await next.stop();
    assert.ok(acknowledged > 0);
    assert.ok((row?.['count'] as number) >= acknowledged, `${row?.['count']} rows of ${acknowledged} acknowledged`);
  });

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
