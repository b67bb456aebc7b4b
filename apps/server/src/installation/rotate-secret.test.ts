import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type DatabaseClient, openDatabase } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { deriveSecrets } from '../secrets.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { openSecret } from './open-secret.ts';
import { joinNodes } from './presence.ts';
import { rotateSecret } from './rotate-secret.ts';
import { sealedColumns } from './sealed-columns.ts';

const old = 'the secret that was used until today';
const next = 'the secret that is used from today on';
const settings = { secret: old, dataDir: '/nowhere' };

describe('a rotation of the installation secret', () => {
  let database: TestDatabase;
  let client: DatabaseClient;
  before(async () => {
    database = await createTestDatabase();
    client = openDatabase(database.connection, { away: () => {}, answered: () => {} });
  });
  after(async () => {
    await client.close();
    await database.drop();
  });

  const rotate = (from: string, to: string | null) => rotateSecret(client.db, database.connection, { ...settings, secret: from }, to);

  /** A row with nothing but what is sealed in it. */
  async function insertAttempt(secret: Buffer): Promise<string> {
    const id = randomUUID();
    await client.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      const columns = { id, signer_id: id, signature_process_id: randomUUID(), kind: 'cloud', state: 'signing', secret } as const;
      await tx
        .insertInto('signing_attempt')
        .values({ ...columns, reason: null, created_at: new Date(), updated_at: new Date() })
        .execute();
    });
    return id;
  }

  it('knows every column that is encrypted with it', () => {
    const sources = join(import.meta.dirname, '..');
    const used = globSync('**/*.ts', { cwd: sources, exclude: (path) => path.endsWith('.test.ts') || path.startsWith('installation') })
      .map((path) => readFileSync(join(sources, path), 'utf8'))
      .flatMap((source) =>
        [...source.matchAll(/\bsecrets\.encrypt\((?:'([^']+)'|(\w+))/g)].map(
          ([, literal, constant]) => literal ?? new RegExp(`const ${constant} = '([^']+)'`).exec(source)?.[1] ?? `${constant}: unknown`,
        ),
      );
    assert.ok(used.length > 0);
    assert.deepEqual([...new Set(used)].toSorted(), [...new Set(sealedColumns.map(({ purpose }) => purpose))].toSorted());
  });

  it('encrypts everything anew in one transaction, drops what nothing opened and would be over, and is done once', async () => {
    await assert.rejects(rotate(old, next), { variable: 'DATABASE_URL' }, 'nothing is encrypted yet');
    const [before, afterwards] = [deriveSecrets(old), deriveSecrets(next)];
    await openSecret(client.db, settings);
    const key = Buffer.from('a private key');
    await client.db
      .insertInto('authority')
      .values({ id: 'root', certificate: Buffer.from('x'), encrypted_key: before.encrypt('authority-key', key), created_at: new Date() })
      .execute();
    // More than are read at once.
    const attempts: string[] = [];
    for (let index = 0; index < 520; index += 1) attempts.push(await insertAttempt(before.encrypt('psc', Buffer.from(`token ${index}`))));
    const lost = await insertAttempt(deriveSecrets('a third one that nobody has any more').encrypt('psc', Buffer.from('token')));

    assert.deepEqual(await rotate(old, next), { outcome: 'rotated', rewrapped: 521, dropped: 1 });
    const root = await client.db.selectFrom('authority').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(afterwards.decrypt('authority-key', root.encrypted_key), key);
    const rows = await client.db.selectFrom('signing_attempt').select(['id', 'secret']).execute();
    const byId = new Map(rows.map(({ id, secret }) => [id, secret]));
    for (const [index, id] of attempts.entries())
      assert.equal(afterwards.decrypt('psc', byId.get(id) ?? Buffer.alloc(28)).toString(), `token ${index}`);
    assert.equal(byId.get(lost), null);

    await assert.rejects(openSecret(client.db, settings), {
      message: 'LAVRA_SECRET: does not open what this database keeps: it is not the secret that was used with it before',
    });
    assert.deepEqual(await openSecret(client.db, { ...settings, secret: next }), { secret: next, finishedRotation: false });
    // Cut off after the commit, begun again with the same two.
    assert.deepEqual(await rotate(old, next), { outcome: 'already', rewrapped: 0, dropped: 0 });
  });

  it('refuses, and changes nothing: another old secret, no new one, the same one, a key that does not open', async () => {
    await assert.rejects(rotate(old, 'yet another secret that is long enough'), { variable: 'LAVRA_SECRET' });
    await assert.rejects(rotate(next, null), { variable: 'LAVRA_NEW_SECRET' });
    await assert.rejects(rotate(next, next), { message: 'LAVRA_NEW_SECRET: is the secret that is in use' });
    await assert.rejects(rotate(next, 'short'), { message: 'LAVRA_NEW_SECRET: at least 32 characters' });
    const damaged = deriveSecrets('a third one that nobody has any more').encrypt('authority-key', Buffer.from('key'));
    await client.db
      .insertInto('authority')
      .values({ id: 'seal', certificate: Buffer.from('x'), encrypted_key: damaged, created_at: new Date() })
      .execute();
    await assert.rejects(rotate(next, old), { message: 'LAVRA_SECRET: does not open "seal" in the table authority; nothing was changed' });
    const root = await client.db.selectFrom('authority').selectAll().where('id', '=', 'root').executeTakeFirstOrThrow();
    assert.equal(deriveSecrets(next).decrypt('authority-key', root.encrypted_key).toString(), 'a private key');
    await client.db.deleteFrom('authority').where('id', '=', 'seal').execute();
  });

  it('waits for nobody: while a node runs it refuses, also a node that lost its connection and came back', async () => {
    const refused = { message: 'LAVRA_SECRET: cannot be rotated while Lavra runs over this database: stop every node first' };
    const returned = Promise.withResolvers<void>();
    const node = await joinNodes(database.connection, async () => returned.resolve());
    await assert.rejects(rotate(next, old), refused);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lavra node' and datname = current_database()`.execute(
      client.db,
    );
    await returned.promise;
    await assert.rejects(rotate(next, old), refused);
    await node.leave();
    assert.equal((await rotate(next, old)).outcome, 'rotated');
  });

  it('and every start are refused over data that a newer version has written', async () => {
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '2999')`.execute(client.db);
    await assert.rejects(migrate(client.db), {
      message: 'DATABASE_URL: a newer Lavra has written these data (999-of-tomorrow): start that one, or a later one',
    });
    await sql`delete from kysely_migration where name = '999-of-tomorrow'`.execute(client.db);
  });

  it('is told of by the data alone where an older version kept no check', async () => {
    await client.db.deleteFrom('installation').execute();
    await assert.rejects(openSecret(client.db, { ...settings, secret: next }), { variable: 'LAVRA_SECRET' });
    assert.equal((await openSecret(client.db, settings)).secret, old);
    assert.equal((await client.db.selectFrom('installation').selectAll().execute()).length, 1);
  });
});
