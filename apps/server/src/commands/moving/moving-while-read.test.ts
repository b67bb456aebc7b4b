import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import pg from 'pg';
import { claimMoving, liftFence, liftFenceLeft, raiseFence } from '../../db/writing-fence.ts';
import { joinNodes, type Presence } from '../../installation/presence.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { TargetDatabases, rowsOf, urlOf } from '../../testing/houses.ts';
import { sendElectronically, startedProcess } from '../../testing/processes.ts';
import { runAudit } from '../audit-storage.ts';
import { runMove } from '../move.ts';
import { withSnapshot } from './snapshot.ts';

const LAVRA_SECRET = 'a secret that only the tests of this product know';
/** Who writes at once, without a pause. */
const WRITERS = 6;

describe('a move to another database while people read', () => {
  let app: TestApp;
  let ana: TestAccount;
  let node: Presence;
  let folder: string;
  let signed: Awaited<ReturnType<typeof startedProcess>>;
  const databases = new TargetDatabases();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lavra-read-'));
    app = await startTestApp();
    ana = await signedInAccount(app);
    node = await joinNodes(app.connection, async () => {});
    signed = await startedProcess(app, ana);
  });
  after(async () => {
    await node.leave();
    await app.close();
    await databases.drop();
    await rm(folder, { recursive: true, force: true });
  });

  let people = 0;
  /** An account with its mail, the job of that, and a line in the security log, by one of many visitors. */
  const register = async () => {
    people += 1;
    const email = `visitante.${people}@exemplo.com.br`;
    const body = { firstName: 'Visitante', login: email, email, password: 'Tinteiro7', langKey: 'pt-br' } as const;
    return { email, ...(await app.call(api.register, { body, ip: `203.0.${people >> 8}.${people & 255}` })) };
  };
  const read = async () => [
    (await app.call(api.getAccount, { token: ana.token })).status,
    (await app.call(api.getProcessesInfos, { token: ana.token })).status,
    (await app.call(api.getSubDataProcess, { token: ana.token, params: { processId: signed.id } })).status,
    (await app.call(api.viewDocument, { token: ana.token, params: { documentId: signed.documentIds[0] ?? '' } })).status,
    (await app.call(api.downloadOriginal, { token: ana.token, params: { id: signed.documentIds[0] ?? '' } })).status,
  ];

  it('refuses whoever writes behind the fence, with its own code and when to come again, and nobody who reads; lifted, all goes on', async () => {
    await raiseFence(app.connection);
    const refused = await sendElectronically(app, signed.id, signed.signerIds[0] ?? '');
    assert.deepEqual([refused.status, refused.code, refused.headers['retry-after']], [503, 'server.moving', '60']);
    assert.deepEqual(await read(), [200, 200, 200, 200, 200]);
    await liftFence(app.connection);
    assert.equal((await sendElectronically(app, signed.id, signed.signerIds[0] ?? '')).status, 204);
  });

  it('waits for who is writing, in whatever order, and keeps nobody who reads', async () => {
    const client = new pg.Client(app.connection);
    await client.connect();
    await client.query('begin');
    await client.query(`update app_user set first_name = 'Ana' where id = '${ana.id}'`);
    const raised = raiseFence(app.connection);
    await sleep(300);
    assert.deepEqual(await read(), [200, 200, 200, 200, 200]);
    // It writes on, into what the fence has or wants: one of the two gives way, and it is the fence.
    await client.query('update signature_process set touched_at = touched_at');
    await client.query('commit');
    await raised;
    await assert.rejects(client.query(`update app_user set first_name = 'Ana'`), { code: 'LV001' });
    await client.end();
    await liftFence(app.connection);
  });

  it('costs nobody what they have begun, though they wait for it while it goes on to what they hold', async () => {
    const [holder, writer] = [new pg.Client(app.connection), new pg.Client(app.connection)];
    for (const client of [holder, writer]) await client.connect();
    await holder.query('begin; update mail set sent_at = sent_at');
    await writer.query('begin; update signature_process set touched_at = touched_at');
    const raised = raiseFence(app.connection);
    await sleep(500);
    const written = writer.query(`update app_user set first_name = first_name`).then(
      () => null,
      (error: { code?: string }) => error.code,
    );
    await sleep(500);
    await holder.query('commit');
    assert.notEqual(await written, '40P01', 'taken for one of two who wait for each other');
    await writer.query('rollback');
    await raised;
    for (const client of [holder, writer]) await client.end();
    await liftFence(app.connection);
  });

  it('leaves a fence that a killed move left standing to the next start, and to none while somebody moves', async () => {
    await raiseFence(app.connection);
    const moving = await claimMoving(app.connection);
    try {
      assert.equal(await claimMoving(app.connection), null);
      await assert.rejects(
        liftFenceLeft(app.connection, 'DATABASE_URL', async () => {}),
        /being moved to another place at this moment/,
      );
      assert.equal((await register()).code, 'server.moving');
    } finally {
      await moving?.leave();
    }
    const again = await startTestApp({ connection: app.connection, config: { dataDir: app.dataDir } });
    await again.close();
    assert.equal((await register()).status, 200);
  });

  it('leaves the fence of a move that has ended meanwhile, at a start and to another move that was begun beside it', async () => {
    await raiseFence(app.connection);
    await assert.rejects(
      liftFenceLeft(app.connection, 'DATABASE_URL', () => Promise.reject(new Error('has moved'))),
      /has moved/,
    );
    const file = join(folder, 'second.env');
    await writeFile(
      file,
      `DATABASE_URL=${await databases.empty()}\nLAVRA_DATA_DIR=${join(folder, 'second')}\nLAVRA_SECRET='${LAVRA_SECRET}'\n`,
    );
    const note = join(app.dataDir, 'blobs', 'lavra-storage');
    const mark = await readFile(note, 'utf8');
    const source = { DATABASE_URL: urlOf(app.connection), LAVRA_DATA_DIR: app.dataDir, LAVRA_SECRET };
    // Its files are over there, and before its fence stands the other one is through.
    await assert.rejects(
      runMove([file], source, () => writeFileSync(note, randomUUID())),
      /has moved already/,
    );
    assert.equal((await register()).code, 'server.moving');
    await writeFile(note, mark);
    await liftFence(app.connection);
  });

  it('sees all rows of what a newer version that starts meanwhile would write anew', async () => {
    const client = new pg.Client(app.connection);
    await client.connect();
    const seen = await withSnapshot(
      app.connection,
      async ({ facts, read }) => {
        const change = `set lock_timeout = 300; alter table mail alter column created_at type text using created_at::text`;
        await assert.rejects(client.query(change), { code: '55P03' });
        let bytes = 0;
        const table = facts.tables.find(({ name }) => name === 'mail');
        if (table) for await (const part of read(table)) bytes += part.length;
        return bytes;
      },
      { keeps: true },
    );
    await client.end();
    assert.ok(seen > 0);
  });

  it('lifts the fence when it fails, and says why', async () => {
    const file = join(folder, 'wrong.env');
    await writeFile(
      file,
      `DATABASE_URL=${await databases.empty()}\nLAVRA_DATA_DIR=${app.dataDir}\nLAVRA_SECRET=another one, that opens nothing of all this\n`,
    );
    const source = { DATABASE_URL: urlOf(app.connection), LAVRA_DATA_DIR: app.dataDir, LAVRA_SECRET };
    await assert.rejects(
      runMove([file], source, () => {}),
      /the secret does not open/,
    );
    assert.equal((await register()).status, 200);
  });

  it('goes on after one that was killed between closing the old storage and its end, and opens the old one again where it fails', async () => {
    const [file, second] = [join(folder, 'third.env'), join(folder, 'third')];
    const wrong = 'another one, that opens nothing of all this';
    await writeFile(file, `DATABASE_URL=${await databases.empty()}\nLAVRA_DATA_DIR=${second}\nLAVRA_SECRET=${wrong}\n`);
    const source = { DATABASE_URL: urlOf(app.connection), LAVRA_DATA_DIR: app.dataDir, LAVRA_SECRET };
    const [left, entered] = [app.dataDir, second].map((at) => join(at, 'blobs', 'lavra-storage')) as [string, string];
    const moving = () =>
      assert.rejects(
        runMove([file], source, () => {}),
        /the secret does not open/,
      );
    await moving();
    const id = (await readFile(left, 'utf8')).trim();
    await writeFile(left, `moved:${id}`);
    await writeFile(entered, `restored:${id}:${randomUUID()}`);
    await raiseFence(app.connection);
    await assert.rejects(
      runAudit(source, () => {}),
      /have moved to another storage, or a move is not finished/,
    );
    await moving();
    assert.equal((await readFile(left, 'utf8')).trim(), id);
    assert.equal((await register()).status, 200);
  });

  it('has over there all that was acknowledged to whoever wrote meanwhile, and shows the old place until its nodes end', async () => {
    const there = await databases.empty();
    const file = join(folder, 'there.env');
    await writeFile(file, `DATABASE_URL=${there}\nLAVRA_DATA_DIR=${app.dataDir}\nLAVRA_SECRET='${LAVRA_SECRET}'\n`);
    const source = { DATABASE_URL: urlOf(app.connection), LAVRA_DATA_DIR: app.dataDir, LAVRA_SECRET };
    const note = join(app.dataDir, 'blobs', 'lavra-storage');
    const before = await readFile(note, 'utf8');
    const acknowledged: string[] = [];
    const refusals = new Set<string | undefined>();
    let isOver = false;
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (!isOver) {
          const { status, code, email } = await register();
          if (status === 200) acknowledged.push(email);
          else refusals.add(code);
        }
      }),
    );
    const unread: number[][] = [];
    const reading = (async () => {
      for (; !isOver; await sleep(20)) {
        const statuses = await read();
        if (statuses.some((status) => status !== 200)) unread.push(statuses);
      }
    })();
    while (acknowledged.length <= WRITERS) await sleep(20);
    const lines: string[] = [];
    try {
      assert.equal(await runMove([file], source, (line) => lines.push(line)), 0, lines.join('\n'));
      await sleep(300);
    } finally {
      isOver = true;
      await Promise.all([writing, reading]);
    }

    assert.ok(acknowledged.length > WRITERS, 'somebody wrote before');
    assert.deepEqual([...refusals], ['server.moving']);
    assert.deepEqual(unread, []);
    const told = `select (select array_agg(email order by email) from app_user where email like 'visitante.%') as people,
      (select count(*)::int from mail) as mails, (select count(*)::int from pgboss.job where state < 'active') as jobs,
      (select count(*)::int from audit_event) as lines`;
    const [moved] = await rowsOf<{ people: string[] }>(there, told);
    assert.deepEqual(
      acknowledged.filter((email) => !moved?.people.includes(email)),
      [],
    );
    assert.deepEqual(await rowsOf(source.DATABASE_URL, told), [moved]);
    assert.match(lines.at(-1) ?? '', /reinicie-os com as variáveis novas/);
    await assert.rejects(
      runAudit(source, () => {}),
      /belongs to another database/,
    );
    // Killed before its last note it leaves one house that opens, not two over one storage.
    const known = await readFile(note, 'utf8');
    await writeFile(note, before);
    await assert.rejects(
      runAudit({ ...source, DATABASE_URL: there }, () => {}),
      /belongs to another database/,
    );
    assert.deepEqual(await rowsOf(source.DATABASE_URL, 'select id from storage_identity'), [{ id: before.trim() }]);
    await writeFile(note, known);
    assert.equal((await register()).code, 'server.moving', 'who was refused a start has opened nothing');
    assert.equal(await runAudit({ ...source, DATABASE_URL: there }, () => {}), 0);
    assert.deepEqual(await rowsOf(there, `select from pg_trigger where tgname = 'writing_fence'`), []);
  });
});
