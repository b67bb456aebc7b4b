import { globSync, readFileSync } from 'node:fs';

/** The hard cap of a file; tables, vectors and tests are excepted. */
const CAP = 400;

const tooLong = globSync(['apps/*/src/**/*.{ts,tsx,css}', 'packages/*/src/**/*.ts', 'scripts/*.ts'])
  .filter((path) => !/\.test\.ts$|node_modules|\/vectors\//.test(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length }))
  .filter(({ lines }) => lines > CAP);
for (const { path, lines } of tooLong) process.stdout.write(`${path}: ${lines} lines, at most ${CAP}\n`);
process.exit(tooLong.length > 0 ? 1 : 0);
