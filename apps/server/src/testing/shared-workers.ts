import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkers, type Workers } from '../workers.ts';

let workers: Workers | undefined;

/** One set of worker processes for all installations of a test program: what they do depends on what they are given alone. */
export function sharedWorkers(): Workers {
  if (workers) return workers;
  const dataDir = mkdtempSync(join(tmpdir(), 'lavra-workers-'));
  const opened = openWorkers({ dataDir });
  process.once('exit', () => {
    void opened.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return (workers = opened);
}
