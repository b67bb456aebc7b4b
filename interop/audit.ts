import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Told {
  error?: unknown;
  metadata?: { vulnerabilities: Record<'low' | 'moderate' | 'high' | 'critical', number> };
}

/** What npm's registry knows against packages that run in production; where it does not answer, that is said. */
export function judgedByRegistry(): boolean {
  const asked = ['audit', '--omit=dev', '--json'];
  const { stdout } = spawnSync('npm', asked, { cwd: join(import.meta.dirname, '..'), encoding: 'utf8', timeout: 120_000 });
  const { metadata } = readTold(stdout);
  if (!metadata) {
    process.stdout.write('the npm registry tells nothing of faults here (npm audit): packages are not judged\n');
    return true;
  }
  const { low, moderate, high, critical } = metadata.vulnerabilities;
  process.stdout.write(`npm audit of what runs in production: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low\n`);
  return critical + high === 0;
}

function readTold(text: string): Told {
  try {
    return JSON.parse(text) as Told;
  } catch {
    return {};
  }
}
