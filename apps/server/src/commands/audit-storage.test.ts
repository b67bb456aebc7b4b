import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startProgram, stopProgram } from '../testing/program.ts';

const command = fileURLToPath(new URL('./audit-storage.ts', import.meta.url));

let dataDir: string;
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('audit storage', () => {
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lavra-audit-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  it('npm run audit-storage looks at the stored files beside a running installation, and refuses a storage that is another’s', async () => {
    const audit = () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [command], {
        env: { ...process.env, LAVRA_DATA_DIR: dataDir },
        encoding: 'utf8',
        timeout: 60_000,
      });
      return { status, stdout, stderr };
    };
    const program = await startProgram({ LAVRA_DATA_DIR: dataDir });
    try {
      await writeFile(join(dataDir, 'blobs/tmp/not-a-blob'), 'half');
      const whole = audit();
      assert.deepEqual([whole.status, whole.stderr], [0, '']);
      assert.match(whole.stdout, /sem registro +0 +0/);
      await rename(join(dataDir, 'blobs'), join(dataDir, 'away'));
      const refused = audit();
      assert.equal(refused.status, 2);
      assert.match(refused.stderr, /^LAVRA_DATA_DIR: .*not the storage that this database knows.*\n$/);
      assert.equal((await fetch(`${program.url}/management/health/liveness`)).status, 200);
    } finally {
      await stopProgram(program, 'SIGTERM');
    }
  });
});
