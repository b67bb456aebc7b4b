import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { drawSignaturePages } from './paper/signature-page.worker.ts';
import { openWorkers } from './workers.ts';

const drawing = new URL('./paper/signature-page.worker.ts', import.meta.url);
const localesDir = fileURLToPath(new URL('../../../locales', import.meta.url));
const input = {
  processTitle: 'Contrato',
  documentName: 'contrato.pdf',
  documentId: '4b7c1f0e-0000-4000-8000-000000000000',
  sha256: 'a'.repeat(64),
  pageCount: 2,
  isLandscape: false,
  verificationUrl: 'https://exemplo.com.br/validateLogin',
  signers: Array.from({ length: 40 }, (_, index) => ({ name: `Pessoa ${index}`, email: `p${index}@exemplo.com.br`, cnpj: null })),
  letterhead: null,
  locale: 'pt-br' as const,
  modality: 'electronic' as const,
  localesDir,
};

describe('drawing in a worker', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lavra-workers-'));
  const workers = openWorkers({ dataDir });
  after(() => workers.close());
  const draw = () => workers.run<typeof drawSignaturePages>(drawing, 'drawSignaturePages', input);

  it('answers the pages and their evidence blocks, and hardly holds up the requests beside it', async () => {
    await draw();
    const start = performance.eventLoopUtilization();
    const drawn = await Promise.all([draw(), draw(), draw(), draw()]);
    const { utilization } = performance.eventLoopUtilization(start);
    for (const { pdf, blocks } of drawn) {
      assert.equal(Buffer.from(pdf).subarray(0, 5).toString(), '%PDF-');
      assert.equal(blocks.length, 40);
    }
    // Drawn on the main thread it would be busy nearly all of the time.
    assert.ok(utilization < 0.5, `the main thread was busy ${Math.round(utilization * 100)} % of the time`);
  });

  it('tells a failure to the caller and goes on', async () => {
    await assert.rejects(workers.run<typeof drawSignaturePages>(drawing, 'drawSignaturePages', { ...input, localesDir: '/nowhere' }));
    assert.equal((await draw()).blocks.length, 40);
  });

  it('goes on in the same process, and what that compiled is there for the next one', async () => {
    const pids = () => workers.state().signing.processes.map(({ pid }) => pid);
    await draw();
    const before = pids();
    assert.ok(before.length > 0);
    for (let again = 0; again < 3; again += 1) await draw();
    assert.deepEqual(pids(), before);
    const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(dataDir, 'cache', 'compiled');
    // One that another program is just writing has an ending until it is whole, and is gone then.
    const names = readdirSync(compiled, { recursive: true, withFileTypes: true }).filter((one) => one.isFile() && !one.name.includes('.'));
    assert.ok(names.length > 100);
    const ofTheWatch = `process.kill(process.pid, 'SIGKILL')`;
    assert.ok(
      names.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(ofTheWatch)),
      'the watch is not among it',
    );
  });
});
