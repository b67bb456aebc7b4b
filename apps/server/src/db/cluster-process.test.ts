import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { watchPostmaster } from './cluster-process.ts';

test(
  'a server is known to run until it has ended, whatever its program is called, and without a thread',
  { skip: process.platform === 'linux' ? false : '/proc is of Linux' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lavra-process-'));
    const program = join(folder, 'a) Z (b');
    copyFileSync('/bin/sleep', program);
    const server = spawn(program, ['60'], { stdio: 'ignore' });
    try {
      await once(server, 'spawn');
      const runs = watchPostmaster(folder, server.pid ?? 0);
      assert.equal(runs(), true);
      server.kill('SIGKILL');
      await once(server, 'exit');
      assert.equal(runs(), false);
      // It had ended before it was watched.
      assert.equal(watchPostmaster(folder, server.pid ?? 0)(), false);
    } finally {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
