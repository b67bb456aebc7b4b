import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { compose } from '../compose.ts';
import { StartFault } from '../start-fault.ts';
import { signedInAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { samplePdf, upload } from '../testing/processes.ts';
import { openDiskPlace } from './disk-place.ts';
import { knowStorage, proveStorage } from './know-storage.ts';

const inOneLine =
  (...parts: RegExp[]) =>
  (error: unknown) => {
    assert.ok(error instanceof StartFault, String(error));
    assert.equal(error.variable, 'LAVRA_DATA_DIR');
    assert.doesNotMatch(error.message, /\n/);
    for (const part of parts) assert.match(error.message, part);
    return true;
  };

describe('a storage and its database', () => {
  let app: TestApp;
  const folders: string[] = [];
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'lavra-place-'));
    folders.push(made);
    return made;
  };
  before(async () => {
    app = await startTestApp();
  });
  after(async () => {
    await app.close();
    for (const made of folders) await rm(made, { recursive: true, force: true });
  });
  const know = (root: string) => knowStorage(app.ctx.db, app.clock, openDiskPlace(root));
  const own = () => join(app.dataDir, 'blobs');

  it('carry each other’s id from the first start on', async () => {
    const { id } = await app.ctx.db.selectFrom('storage_identity').select('id').executeTakeFirstOrThrow();
    assert.equal(await readFile(join(own(), 'lavra-storage'), 'utf8'), id);
    await know(own());
  });

  it('refuse a second node with a folder of its own, also when nothing is stored yet', async () => {
    const { config, publicUrl } = app.ctx;
    const elsewhere = { ...config, dataDir: await folder() };
    const second = { config: elsewhere, connection: app.connection, publicUrl, timestamps: null, mailboxUrl: null, background: false };
    await assert.rejects(compose(second), inOneLine(/not the storage that this database knows/));
  });

  it('refuse a storage that was emptied or belongs to another database, and say which file makes it theirs', async () => {
    const ana = await signedInAccount(app);
    assert.equal((await upload(app, ana.token, [{ name: 'a.pdf', bytes: await samplePdf() }])).status, 200);
    const empty = await folder();
    const { id } = await app.ctx.db.selectFrom('storage_identity').select('id').executeTakeFirstOrThrow();
    await assert.rejects(know(empty), inOneLine(/none of the newest files that this database knows is there/, new RegExp(id)));
    await writeFile(join(empty, 'lavra-storage'), 'a-strangers-id');
    await assert.rejects(know(empty), inOneLine(/belongs to another database/));
    await writeFile(join(empty, 'lavra-storage'), `${id}\n`);
    await know(empty);
  });

  it('find each other again when the mark was lost and the files are there, as in an installation of before', async () => {
    await rm(join(own(), 'lavra-storage'));
    await know(own());
    await rm(join(own(), 'lavra-storage'));
    const { id } = await app.ctx.db.selectFrom('storage_identity').select('id').executeTakeFirstOrThrow();
    await app.ctx.db.updateTable('storage_identity').set({ marked_at: null }).execute();
    await know(own());
    assert.equal(await readFile(join(own(), 'lavra-storage'), 'utf8'), id);
  });

  it('go on after a crash between the two writes, and of two first starts over different folders one is refused', async () => {
    await app.ctx.db.deleteFrom('document_revision').execute();
    await app.ctx.db.deleteFrom('blob').execute();
    await app.ctx.db.updateTable('storage_identity').set({ marked_at: null }).execute();
    const crashed = await folder();
    await know(crashed);
    await app.ctx.db.updateTable('storage_identity').set({ marked_at: null }).execute();
    await know(crashed);
    await app.ctx.db.deleteFrom('storage_identity').execute();
    const both = [await folder(), await folder()];
    const ended = await Promise.allSettled(both.map(know));
    assert.deepEqual(ended.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });

  it('that cannot be written to refuses the start in one line with the folder and the cause', async () => {
    const root = join(await folder(), 'blobs');
    await writeFile(root, randomBytes(3));
    await assert.rejects(proveStorage(openDiskPlace(root)), inOneLine(/cannot be written to/, /ENOTDIR|EEXIST/, new RegExp(root)));
  });
});
