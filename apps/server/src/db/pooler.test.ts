import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { joinNodes } from '../installation/presence.ts';
import { StartFault } from '../start-fault.ts';
import { signedInAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../testing/pgbouncer.ts';
import { signElectronically, startedProcess } from '../testing/processes.ts';
import { startSystemPostgres, type SystemPostgres, systemPostgresBinaries } from '../testing/system-postgres.ts';

const isHere = hasPgBouncer() && systemPostgresBinaries() !== undefined;

describe('PgBouncer in transaction mode', { skip: isHere ? false : 'no PgBouncer or PostgreSQL of the system here' }, () => {
  let postgres: SystemPostgres;
  let bouncer: PgBouncer;
  let app: TestApp;

  async function query(text: string): Promise<void> {
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query(text);
    await client.end();
  }

  const named = (database: string) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href;

  before(async () => {
    postgres = await startSystemPostgres();
    bouncer = await startPgBouncer(postgres.url);
    await query('create database house');
    await query('create database other');
    const connection = { connectionString: named('house') };
    app = await startTestApp({ connection, config: { databasePoolUrl: bouncer.to(named('house')) } });
  });
  after(async () => {
    await app?.close();
    await bouncer?.stop();
    postgres?.stop();
  });

  it('carries a process from the upload to the seal, and forty readers at once on three connections', async () => {
    const ana = await signedInAccount(app);
    const { id, signerIds } = await startedProcess(app, ana);
    await signElectronically(app, id, signerIds[0] ?? '');
    const { status } = await app.ctx.db.selectFrom('signature_process').select('status').where('id', '=', id).executeTakeFirstOrThrow();
    assert.equal(status, 'FINALIZED_WITH_SUCCESS');
    const read = () => app.ctx.db.selectFrom('event').select('seq').where('signature_process_id', '=', id).execute();
    const found = await Promise.all(Array.from({ length: 40 }, read));
    assert.equal(new Set(found.map((rows) => rows.length)).size, 1);
  });

  it('leaves no setting of one transaction to the next one on its connection', async () => {
    const settings = await Promise.all(
      Array.from({ length: 12 }, () => sql<{ said: string }>`select current_setting('synchronous_commit') as said`.execute(app.ctx.db)),
    );
    assert.deepEqual([...new Set(settings.map(({ rows }) => rows[0]?.said))], ['on']);
  });

  it('is refused as the way to the database itself, where a mark would be on the session of somebody else', async () => {
    const through = { connectionString: bouncer.to(named('house')) };
    await assert.rejects(
      joinNodes(through, async () => {}),
      (error) => error instanceof StartFault && error.variable === 'DATABASE_URL',
    );
  });

  it('that leads to another database is refused', async () => {
    const connection = { connectionString: named('house') };
    await assert.rejects(
      startTestApp({ connection, config: { databasePoolUrl: bouncer.to(named('other')) } }),
      (error) => error instanceof StartFault && error.variable === 'DATABASE_POOL_URL',
    );
  });
});
