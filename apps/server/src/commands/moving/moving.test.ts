import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { type MakeBelieveS3, startMakeBelieveS3 } from '@lavra/make-believe';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { openDatabase } from '../../db/client.ts';
import { readMigrations } from '../../db/migrations.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { TargetDatabases, rowsOf, urlOf } from '../../testing/houses.ts';
import { createDraft, signElectronically, startedProcess } from '../../testing/processes.ts';
import { runAudit } from '../audit-storage.ts';
import { runBackup } from '../backup.ts';
import { runMigrations } from '../migrations.ts';
import { runMove } from '../move.ts';
import type { Manifest } from './backup-files.ts';
import { holdingFolder } from './hold-folder.store.ts';
import { runRestore } from '../restore.ts';

const LAVRA_SECRET = 'a secret that only the tests of this product know';
type Environment = Record<string, string>;
type Command = (args: readonly string[], environment: NodeJS.ProcessEnv, write: (line: string) => void) => Promise<number>;

async function said(command: Command, args: readonly string[], environment: Environment) {
  const lines: string[] = [];
  const code = await command(args, environment, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

/** What must be the same on both sides, whatever the ids of rows are. */
const ROWS = `select (select string_agg(e::text, '|' order by e::text) from event e) as events,
  (select string_agg(d::text, '|' order by d.id) from document d) as documents,
  (select string_agg(b.hash, '|' order by b.hash) from blob b) as blobs,
  (select string_agg(k.name, '|' order by k.name) from kysely_migration k) as migrations,
  (select count(*)::integer from pgboss.job where state < 'active') as jobs,
  (select count(*)::integer from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace) as references,
  (select string_agg(tgrelid::regclass || tgname || tgenabled::text, '|' order by tgrelid::regclass::text, tgname)
    from pg_trigger where not tgisinternal and tgrelid::regclass::text not like 'pgboss%') as triggers,
  (select string_agg(sequencename || coalesce(last_value, 0), '|' order by sequencename) from pg_sequences where schemaname = 'public') as sequences`;

describe('moving house', { concurrency: false }, () => {
  let app: TestApp;
  let ana: TestAccount;
  let folder: string;
  let source: Environment;
  let s3: MakeBelieveS3;
  const databases = new TargetDatabases();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lavra-moving-'));
    s3 = await startMakeBelieveS3();
    app = await startTestApp();
    ana = await signedInAccount(app);
    source = { DATABASE_URL: urlOf(app.connection), LAVRA_DATA_DIR: app.dataDir, LAVRA_SECRET };
    const { id: processId, signerIds } = await startedProcess(app, ana);
    await app.runJobs();
    await signElectronically(app, processId, signerIds[0] ?? '');
    await app.runJobs();
    // Its jobs wait.
    const { id } = await createDraft(app, ana);
    assert.equal((await app.call(api.startSignatureProcess, { token: ana.token, params: { id } })).status, 204);
  });
  after(async () => {
    await app.close();
    await s3.close();
    await databases.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const bucket = (one: MakeBelieveS3): Environment => ({
    S3_BUCKET: one.bucket,
    S3_ENDPOINT: one.endpoint,
    S3_ACCESS_KEY_ID: one.accessKeyId,
    S3_SECRET_ACCESS_KEY: one.secretAccessKey,
  });

  /** As a version of that day left it. */
  async function schemaOf(last: string, url: string): Promise<void> {
    const client = openDatabase({ connectionString: url }, { away: () => {}, answered: () => {} });
    const { error } = await new Migrator({ db: client.db, provider: { getMigrations: readMigrations } }).migrateTo(last);
    await client.close();
    assert.equal(error, undefined);
  }

  /** The command in a program of its own, killed when the bucket was asked for the n-th file. */
  async function killedAt(
    command: string,
    args: readonly string[],
    environment: Environment,
    isPart: (method: string, key: string) => boolean,
  ) {
    s3.fault = { kind: 'hole', when: isPart };
    const begun = s3.asked.length;
    const child = spawn(process.execPath, [join(import.meta.dirname, '..', `${command}.ts`), ...args], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const isReached = () => s3.asked.slice(begun).some((one) => isPart(...(one.split(' ') as [string, string])));
    while (!isReached() && child.exitCode === null) await sleep(20);
    assert.equal(child.exitCode, null, 'it was under way');
    child.kill('SIGKILL');
    await ended;
    s3.fault = null;
  }

  it('a backup made beside a running installation, restored into an empty one, is the same, verified by the audit, and works', async () => {
    const backup = join(folder, 'one');
    const made = await said(runBackup, [backup], source);
    assert.equal(made.code, 0, made.text);
    assert.match(made.text, /O segredo da instalação não está na cópia/);
    assert.deepEqual((await readdir(backup)).toSorted(), ['backup.json', 'blobs', 'snapshot']);
    const target = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'restored'), LAVRA_SECRET };
    const restored = await said(runRestore, [backup], target);
    assert.equal(restored.code, 0, restored.text);
    assert.match(restored.text, /Todos os arquivos guardados são o que eram/);
    assert.deepEqual(await rowsOf(target.DATABASE_URL, ROWS), await rowsOf(source.DATABASE_URL ?? '', ROWS));
    assert.ok(((await rowsOf(target.DATABASE_URL, ROWS))[0] as { jobs: number }).jobs > 0, 'jobs that waited are among it');
    // Not over what is there.
    await assert.rejects(
      runRestore([backup], target, () => {}),
      /^StartFault: DATABASE_URL: this database is not empty/,
    );
    const elsewhere = { ...target, DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'strange') };
    await writeFile(join(folder, 'note'), '');
    await assert.rejects(
      runBackup([folder], source, () => {}),
      /holds something else/,
    );
    await assert.rejects(
      runRestore([backup], { ...elsewhere, LAVRA_SECRET: 'another secret, which opens nothing of this at all' }, () => {}),
      /LAVRA_SECRET: the secret does not open/,
    );
    assert.equal((await said(runRestore, [backup], elsewhere)).code, 0, 'what was refused left an empty database');
  });

  it('a backup beside which a newer version starts, and writes a table anew, is taken again: no moment of before sees those rows', async () => {
    const backup = join(folder, 'taken-again');
    const client = new pg.Client(source.DATABASE_URL);
    await client.connect();
    await client.query(`begin; insert into kysely_migration (name, "timestamp") values ('999-newer', '')`);
    await client.query('alter table mail alter column subject type text using subject || $$$$');
    const made = said(runBackup, [backup], source);
    const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'lavra moving' and datname = current_database()`;
    while ((await rowsOf(source.DATABASE_URL ?? '', waits)).length === 0) await sleep(20);
    await client.query('commit');
    assert.equal((await made).code, 0);
    await client.query(`delete from kysely_migration where name = '999-newer'`);
    await client.end();
    const manifest = await readFile(join(backup, 'snapshot', 'manifest.json'), 'utf8');
    assert.match(manifest, /999-newer/);
  });

  it('a backup that begins while another one goes into the same folder is refused, and changes nothing of it', async () => {
    const backup = join(folder, 'one');
    const kept = await readFile(join(backup, 'backup.json'), 'utf8');
    await holdingFolder(app.connection, backup, () =>
      assert.rejects(
        runBackup([backup], source, () => {}),
        /another backup into this folder is under way/,
      ),
    );
    assert.equal(await readFile(join(backup, 'backup.json'), 'utf8'), kept);
    const both = await Promise.allSettled([1, 2].map(() => runBackup([join(folder, 'at-once')], source, () => {})));
    assert.ok(both.some(({ status }) => status === 'fulfilled'));
    for (const one of both) if (one.status === 'rejected') assert.match(String(one.reason), /is under way/);
    const target = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'of-at-once'), LAVRA_SECRET };
    assert.equal((await said(runRestore, [join(folder, 'at-once')], target)).code, 0);
  });

  it('a restored database is another one: the storage of the one that lives on is refused to it, before the first byte and afterwards', async () => {
    const backup = join(folder, 'one');
    const beside = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: app.dataDir, LAVRA_SECRET };
    await assert.rejects(
      runRestore([backup], beside, () => {}),
      /LAVRA_DATA_DIR: .*belongs to another database; nothing was changed/,
    );
    const target = { ...beside, LAVRA_DATA_DIR: join(folder, 'apart') };
    assert.equal((await said(runRestore, [backup], target)).code, 0);
    await assert.rejects(
      runAudit({ ...target, LAVRA_DATA_DIR: app.dataDir }, () => {}),
      /belongs to another database/,
    );
    // Killed before the last note of all.
    const mark = join(target.LAVRA_DATA_DIR, 'blobs', 'lavra-storage');
    await writeFile(mark, `restored:${randomUUID()}:${await readFile(mark, 'utf8')}`);
    assert.equal(await runAudit(target, () => {}), 0);
    await writeFile(mark, `restored:${await readFile(mark, 'utf8')}:${randomUUID()}`);
    await assert.rejects(
      runAudit(target, () => {}),
      /belongs to another database/,
    );
  });

  it('of two restores into one empty installation at once one brings everything, and the other one changes nothing of it', async () => {
    const backup = join(folder, 'one');
    for (let round = 0; round < 4; round += 1) {
      const target = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, `twice-${round}`), LAVRA_SECRET };
      const run = async (afterMs: number) => {
        await sleep(afterMs);
        return said(runRestore, [backup], target);
      };
      const ended = await Promise.allSettled([run(0), run(round * 40)]);
      const refused = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      assert.equal(refused.length, 1, JSON.stringify(ended));
      assert.match(refused[0] ?? '', /^StartFault: /);
      assert.equal(await runAudit(target, () => {}), 0);
      assert.deepEqual(await rowsOf(target.DATABASE_URL, ROWS), await rowsOf(source.DATABASE_URL ?? '', ROWS));
    }
  });

  it('a manifest that somebody has changed reads no file elsewhere and writes into no table that is not ours', async () => {
    const [backup, forged] = [join(folder, 'one'), join(folder, 'forged')];
    const changes = [
      (manifest: Manifest) => ({ ...manifest, inventory: { ...manifest.inventory, file: '../../one/snapshot/inventory.gz' } }),
      (manifest: Manifest) => ({ ...manifest, tables: manifest.tables.map((one) => ({ ...one, file: `../snapshot/${one.file}` })) }),
      (manifest: Manifest) => ({ ...manifest, tables: manifest.tables.map((one) => ({ ...one, name: 'pg_authid' })) }),
    ];
    for (const [index, change] of changes.entries()) {
      await rm(forged, { recursive: true, force: true });
      await cp(backup, forged, { recursive: true });
      const [path, seal] = [join(forged, 'snapshot', 'manifest.json'), join(forged, 'backup.json')];
      const text = JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')) as Manifest));
      await writeFile(path, text);
      const sealed = { ...(JSON.parse(await readFile(seal, 'utf8')) as object), manifest: createHash('sha256').update(text).digest('hex') };
      await writeFile(seal, JSON.stringify(sealed));
      const target = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, `forged-${index}`), LAVRA_SECRET };
      await assert.rejects(
        runRestore([forged], target, () => {}),
        /manifest is damaged|is none of Lavra's/,
      );
    }
  });

  it('a backup that was killed goes on where it was, and is refused until it is finished; damaged bytes are told and never restored', async () => {
    const backup = join(folder, 'two');
    const left = await mkdtemp(join(folder, 'left-'));
    const moved = join(left, 'to.env');
    const environment = { ...source, ...bucket(s3) };
    await writeFile(
      moved,
      Object.entries(environment)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
    );
    // Beside the running node the bytes go over alone.
    const first = await said(runMove, [moved], source);
    assert.match(first.text, /Pare agora todos os nós/);
    const keys = [...s3.objects.keys()].filter((key) => /\/[0-9a-f]{64}$/.test(key)).toSorted();
    assert.ok(keys.length >= 3, 'several files are stored');
    const mark = s3.objects.get('lavra-storage');
    assert.match(String(mark?.bytes), /^moved:/);
    const id = String(mark?.bytes).slice('moved:'.length);
    s3.objects.set('lavra-storage', { bytes: Buffer.from(id), modified: new Date() });

    await killedAt('backup', [backup], environment, (method, key) => method === 'GET' && key === keys.at(-1));
    assert.ok(!(await readdir(backup)).includes('backup.json'));
    await assert.rejects(
      runRestore([backup], environment, () => {}),
      /this backup was not finished: run it again/,
    );
    const again = await said(runBackup, [backup, '--with-secret'], environment);
    assert.equal(again.code, 0, again.text);
    assert.ok(Number(/\(novos: (\d+)\)/.exec(again.text)?.[1]) < keys.length, again.text);
    assert.equal(await readFile(join(backup, 'secret'), 'utf8'), LAVRA_SECRET);

    const kept = join(backup, 'blobs', keys[0] ?? '');
    const whole = await readFile(kept);
    await writeFile(kept, Buffer.concat([whole.subarray(1), Buffer.from('x')]));
    const target = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'two-restored') };
    await assert.rejects(
      runRestore([backup], target, () => {}),
      /files of this backup are missing or damaged \(1\)/,
    );
    assert.deepEqual(
      await rowsOf(target.DATABASE_URL, `select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`),
      [],
    );
    // The next backup mends its own copy; the secret comes with it.
    assert.equal((await said(runBackup, [backup, '--with-secret'], environment)).code, 0);
    assert.equal((await said(runRestore, [backup], target)).code, 0);
    assert.equal(await readFile(join(target.LAVRA_DATA_DIR, 'secret'), 'utf8'), LAVRA_SECRET);
  });

  it('a restore that was killed in the middle of its bytes is begun again and goes on; no other database is let into what it left', async () => {
    const backup = join(folder, 'one');
    s3.objects.clear();
    const target = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'three'), LAVRA_SECRET, ...bucket(s3) };
    let placed = 0;
    await killedAt('restore', [backup], target, (method, key) => method === 'PUT' && key.length === 70 && (placed += 1) > 2);
    assert.ok(s3.objects.has('lavra-storage'));
    const stranger = {
      ...target,
      DATABASE_URL: await databases.ours(),
    };
    await assert.rejects(
      runAudit(stranger, () => {}),
      /this storage belongs to another database/,
    );
    const done = await said(runRestore, [backup], target);
    assert.equal(done.code, 0, done.text);
    assert.deepEqual(await rowsOf(target.DATABASE_URL, ROWS), await rowsOf(source.DATABASE_URL ?? '', ROWS));
  });

  it('a move takes database and files from the embedded PostgreSQL and the disk to others and back, and the house that was left is not opened again', async () => {
    const write = async (name: string, environment: Environment) => {
      await writeFile(
        join(folder, name),
        Object.entries(environment)
          .map(([key, value]) => `${key}='${value}'\n`)
          .join(''),
      );
      return join(folder, name);
    };
    // The embedded one, made of the backup.
    const embedded = { LAVRA_DATA_DIR: join(folder, 'embedded'), LAVRA_SECRET };
    assert.equal((await said(runRestore, [join(folder, 'one')], embedded)).code, 0);
    s3.objects.clear();
    const outside = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'outside'), LAVRA_SECRET, ...bucket(s3) };
    const there = await said(runMove, [await write('outside.env', outside)], embedded);
    assert.equal(there.code, 0, there.text);
    assert.deepEqual(await rowsOf(outside.DATABASE_URL, ROWS), await rowsOf(source.DATABASE_URL ?? '', ROWS));
    await assert.rejects(
      runAudit(embedded, () => {}),
      /LAVRA_DATA_DIR: .*belongs to another database/,
    );
    assert.equal(await runAudit(outside, () => {}), 0);

    // The files alone, back to a disk.
    const onDisk = { DATABASE_URL: outside.DATABASE_URL, LAVRA_DATA_DIR: join(folder, 'back'), LAVRA_SECRET };
    assert.equal((await said(runMove, [await write('disk.env', onDisk)], outside)).code, 0);
    await assert.rejects(
      runAudit(outside, () => {}),
      /S3_BUCKET: .*its files have moved to another storage/,
    );
    assert.equal(await runAudit(onDisk, () => {}), 0);
    await assert.rejects(
      runMove([join(folder, 'disk.env')], onDisk, () => {}),
      /nothing to move/,
    );
  });

  it('a backup of an older schema is restored with its data and brought to today’s; one of a newer version is refused in its own words', async () => {
    const names = Object.keys(await readMigrations()).toSorted();
    const backup = join(folder, 'old');
    const old = { DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'old-data'), LAVRA_SECRET };
    await schemaOf('028-single-sign-on', old.DATABASE_URL);
    await rowsOf(
      old.DATABASE_URL,
      `insert into app_user (id, login, email, first_name, login_type, lang_key, activated, authorities, created_at)
         values ('${ana.id}', 'ana@exemplo.com.br', 'ana@exemplo.com.br', 'Ána', 'LOCAL', 'pt-br', true, '{ROLE_USER}', now());
       insert into signature_process (id, owner_id, title, status, modality, geolocation, lang_key, created_at, started_at, touched_at)
         values ('${ana.id}', '${ana.id}', 'Contrato', 'IN_PROGRESS', 'electronic', 'optional', 'pt-br', now(), now(), now());
       insert into storage_identity (id) values ('${ana.id}')`,
    );
    assert.equal((await said(runMigrations, [], old)).code, 1);
    assert.match((await said(runMigrations, ['--sql'], old)).text, /^029-second-factor\n(?:.*\n)*create table totp/m);
    assert.equal((await said(runBackup, [backup], old)).code, 0);
    const today = { ...old, DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'old-restored') };
    const restored = await said(runRestore, [backup], today);
    assert.equal(restored.code, 0, restored.text);
    assert.match(restored.text, /Esquema da cópia trazido ao de hoje: 029-second-factor/);
    // What later migrations compute of the rows that were there.
    assert.deepEqual(await rowsOf(today.DATABASE_URL, 'select search from app_user'), [{ search: 'ana@exemplo.com.br ana ' }]);
    assert.deepEqual(await rowsOf(today.DATABASE_URL, 'select title from signature_process'), [{ title: 'Contrato' }]);
    assert.equal((await said(runMigrations, [], today)).code, 0);

    const elsewhere = { ...today, DATABASE_URL: await databases.empty(), LAVRA_DATA_DIR: join(folder, 'newer') };
    assert.equal((await said(runBackup, [backup], source)).code, 0);
    const manifest = join(backup, 'snapshot/manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(`"${names.at(-1)}"`, `"${names.at(-1)}",\n    "999-of-tomorrow"`));
    const seal = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8')) as object;
    const manifestDigest = createHash('sha256')
      .update(await readFile(manifest))
      .digest('hex');
    await writeFile(join(backup, 'backup.json'), JSON.stringify({ ...seal, manifest: manifestDigest }));
    await assert.rejects(
      runRestore([backup], elsewhere, () => {}),
      /a newer Lavra has written these data \(999-of-tomorrow\)/,
    );
  });
});
