import { spawnSync } from 'node:child_process';

const source = ['apps', 'packages', 'bench', 'chaos', 'e2e', 'interop', 'scripts'];

/** Every house rule that a machine can hold. All run, so that one look shows everything. */
const checks: readonly (readonly [string, readonly string[]])[] = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['types of the web application', ['node_modules/typescript/bin/tsc', '-p', 'apps/web']],
  ['types of the browser tests', ['node_modules/typescript/bin/tsc', '-p', 'e2e']],
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--deny-warnings']],
  ['arrows', ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.mjs', ...source]],
  ['file sizes', ['scripts/file-sizes.ts']],
];

let failed = 0;
for (const [name, args] of checks) {
  const { status } = spawnSync(process.execPath, [...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (status !== 0) failed += 1;
}
process.exit(failed > 0 ? 1 : 0);
