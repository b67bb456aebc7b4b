import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { batchSummary } from './batch-summary.ts';

test('what a part of a run has counted is read, however long the message of what failed is', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-batch-'));
  try {
    const file = join(directory, 'long.test.mjs');
    const tests = [
      `it('passes', () => {});`,
      `it.skip('waits', () => {});`,
      `it('fails', () => { throw new Error('x'.repeat(50_000)); });`,
    ];
    writeFileSync(file, [`import { it } from 'node:test';`, ...tests].join('\n'));
    const { NODE_TEST_CONTEXT: _ours, ...environment } = process.env;
    const options = ['--test', '--test-isolation=none', '--test-reporter=spec', file];
    const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8', env: environment });
    const { whatFailed, ...counted } = batchSummary(stdout);
    assert.deepEqual(counted, { passed: 1, failed: 1, skipped: 1 });
    assert.ok((whatFailed?.length ?? 0) > 50_000);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('a part that was stopped before its end has counted nothing', () => {
  assert.deepEqual(batchSummary('✔ one\n'), { passed: 0, failed: 0, skipped: 0, whatFailed: undefined });
});
