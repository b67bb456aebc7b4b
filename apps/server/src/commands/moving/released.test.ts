import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { createTestDatabase } from '../../testing/database.ts';
import { urlOf } from '../../testing/houses.ts';
import { samplePdf, signaturePng } from '../../testing/processes.ts';
import { runAudit } from '../audit-storage.ts';
import { runRestore } from '../restore.ts';
import type { Manifest } from './backup-files.ts';

/** Backups of what the program of that day made by its own calls, in each schema that went out; named after its last migration. */
const released = globSync(new URL('../../testing/released/*.tar.gz', import.meta.url).pathname).toSorted();
const [pdfsig, tar] = ['pdfsig', 'tar'].map((tool) => spawnSync(tool, ['--version']).error === undefined);
const mainProgram = new URL('../../main.ts', import.meta.url).pathname;

/** The program as it is started, over a house that is there. */
async function startProgram(environment: NodeJS.ProcessEnv) {
  const program = spawn(process.execPath, [mainProgram], { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(program, 'exit');
  for (;;) {
    const url = /Lavra: (\S+)/.exec(said)?.[1];
    if (url) return { url, stop: async () => void (program.kill('SIGTERM'), await ended) };
    assert.equal(program.exitCode, null, said);
    await sleep(50);
  }
}

/** Asks as a browser does. */
class Caller {
  private readonly url: string;
  private token = '';

  constructor(url: string) {
    this.url = url;
  }

  async signIn(username: string, password: string): Promise<void> {
    this.token = (await this.call<{ id_token: string }>('POST', 'api/authenticate', { username, password })).id_token;
  }

  async bytes(path: string): Promise<Buffer> {
    const answer = await fetch(`${this.url}/${path}`, { headers: { authorization: `Bearer ${this.token}` } });
    assert.equal(answer.status, 200, path);
    return Buffer.from(await answer.arrayBuffer());
  }

  async call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.url}/${path}`, {
      method,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

interface House {
  caller: Caller;
  client: pg.Client;
  folder: string;
}

/** One document through the whole job, in a house that has been brought here. */
async function wholeJob({ caller, client }: House): Promise<string> {
  const form = new FormData();
  form.append('files', new Blob([Uint8Array.from(await samplePdf())], { type: 'application/pdf' }), 'novo.pdf');
  const files = await caller.call<{ id: string }[]>('POST', 'api/documents', form);
  const { id } = await caller.call<{ id: string }>('POST', 'api/signature-processes', {
    title: 'Depois da mudança',
    dueDate: null,
    reminderIn: null,
    type: 'ELETRONIC_SIGNATURE',
    files,
    geolocation: 'optional',
  });
  const signer = await caller.call<{ id: string }>('POST', 'api/signers', {
    signer: { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0, signatureProcess: { id } },
    signatureVisibleActive: false,
    visibleSignature: [],
  });
  await caller.call('POST', `api/signature-processes/${id}/start`);
  await until(client, 'select prepared_at is not null as is from signature_process where id = $1', id);
  const { rows } = await client.query<{ key: string }>(`select key from signer_link where signer_id = $1 and channel = 'mailed'`, [
    signer.id,
  ]);
  const key = rows[0]?.key ?? '';
  const { consent } = await caller.call<{ consent: { hash: string } }>('GET', `api/requisitionInformation/${id}?user=${key}`);
  const picture = { signatureImage: signaturePng(), signatureImageContentType: 'image/png' };
  await caller.call('POST', 'api/signature-evidences/initEletronicSignature', {
    processId: id,
    signerId: key,
    cpf: '52998224725',
    name: 'Bia Lima',
    consentHash: consent.hash,
    signatureEvidence: { latitude: null, longitude: null, accuracy: null, ...picture },
  });
  await until(client, `select status = 'FINALIZED_WITH_SUCCESS' as is from signature_process where id = $1`, id);
  return id;
}

async function until(client: pg.Client, statement: string, id: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(50))
    if ((await client.query<{ is: boolean }>(statement, [id])).rows[0]?.is) return;
  assert.fail(`a minute without: ${statement}`);
}

/** Every document of a process is its bytes, and pdfsig finds its signatures whole. */
async function assertReadable({ caller, client, folder }: House, processId: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from document where signature_process_id = $1', [processId]);
  assert.ok(rows.length > 0);
  for (const { id } of rows) {
    const path = join(folder, `${randomUUID()}.pdf`);
    writeFileSync(path, await caller.bytes(`api/downloadSignature/${processId}/${id}`));
    const judged = spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8' }).stdout;
    assert.ok((judged.match(/Signature is Valid/g) ?? []).length >= 2, judged);
    assert.doesNotMatch(judged, /Invalid|Mismatch/i);
  }
}

/** How many rows the backup has of each table that there still is, and how many stand there now. */
async function assertNoRowLost(backup: string, client: pg.Client): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(backup, 'snapshot/manifest.json'), 'utf8')) as Manifest;
  let rows = 0;
  for (const { schema, name, file } of manifest.tables.filter((one) => one.schema === 'public')) {
    const before =
      gunzipSync(readFileSync(join(backup, 'snapshot', file)))
        .toString()
        .split('\n').length - 1;
    const { rows: there } = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [`${schema}.${name}`]);
    if (!there[0]?.is) continue;
    const { rows: counted } = await client.query<{ count: number }>(`select count(*)::int as count from ${schema}."${name}"`);
    assert.ok((counted[0]?.count ?? 0) >= before, `${name}: ${before} before, ${counted[0]?.count} now`);
    rows += before;
  }
  assert.ok(rows > 50, `${rows} rows`);
}

describe('an upgrade from every schema that went out', { concurrency: false, skip: !(pdfsig && tar) && 'no pdfsig or tar' }, () => {
  for (const path of released)
    it(`${basename(path, '.tar.gz')}: no row is lost, every file is whole, who had an account signs in, and a new job goes to its end`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'lavra-released-'));
      const database = await createTestDatabase();
      const client = new pg.Client(urlOf(database.connection));
      await client.connect();
      const stops: (() => Promise<unknown>)[] = [() => client.end(), () => database.drop()];
      t.after(async () => {
        for (const stop of stops) await stop();
        rmSync(folder, { recursive: true, force: true });
      });
      const backup = join(folder, 'backup');
      mkdirSync(backup);
      assert.equal(spawnSync('tar', ['-xzf', path, '-C', backup]).status, 0);
      assert.ok(existsSync(join(backup, 'backup.json')));
      await client.query('drop schema public cascade; drop schema if exists pgboss cascade; create schema public');
      const environment = {
        DATABASE_URL: urlOf(database.connection),
        LAVRA_DATA_DIR: join(folder, 'data'),
        LAVRA_SECRET: readFileSync(join(backup, 'secret'), 'utf8'),
        PORT: '0',
      };
      const said: string[] = [];
      assert.equal(await runRestore([backup], environment, (line) => said.push(line)), 0, said.join('\n'));
      assert.equal(await runAudit(environment, (line) => said.push(line)), 0, said.join('\n'));
      await assertNoRowLost(backup, client);
      const { rows: finished } = await client.query<{ id: string }>(
        `select id from signature_process where status = 'FINALIZED_WITH_SUCCESS'`,
      );
      assert.ok(finished.length >= 2, `${finished.length} finished processes`);
      const program = await startProgram(environment);
      stops.unshift(program.stop);
      const house = { caller: new Caller(program.url), client, folder };
      await house.caller.signIn('ana@exemplo.com.br', 'Segredo123');
      const list = await house.caller.call<{ id: string }[]>('GET', 'api/signature-processes?page=0&size=20');
      assert.deepEqual(new Set(list.map(({ id }) => id)), new Set(finished.map(({ id }) => id)));
      const [old] = finished;
      assert.ok(old);
      await house.caller.call('GET', `api/signature-processes/${old.id}/story`);
      await assertReadable(house, old.id);
      await assertReadable(house, await wholeJob(house));
    });
});
