import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Arrow, arrowRules, findCycle } from './arrow-rules.ts';

interface Workspace {
  folder: string;
  allowed: Set<string>;
  entries: Record<string, string>;
}

interface Manifest {
  name: string;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

function workspaces(): Map<string, Workspace> {
  return new Map(
    globSync(['apps/*/package.json', 'packages/*/package.json']).map((path) => {
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
      const allowed = new Set([
        manifest.name,
        ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }),
      ]);
      return [manifest.name, { folder: dirname(path), allowed, entries: manifest.exports ?? {} }];
    }),
  );
}

const known = workspaces();
const faults: string[] = [];

/** All modules a file names, types left out: they leave no trace at run time and close no cycle. */
function importsOf(path: string): string[] {
  const { module } = parseSync(path, readFileSync(path, 'utf8'));
  const isValue = (entries: readonly { isType: boolean }[]) => entries.length === 0 || entries.some((entry) => !entry.isType);
  const imported = module.staticImports.filter((one) => isValue(one.entries)).map((one) => one.moduleRequest.value);
  const reexported = module.staticExports.flatMap((one) =>
    one.entries.filter((entry) => !entry.isType && entry.moduleRequest !== null).map((entry) => entry.moduleRequest?.value ?? ''),
  );
  return [...imported, ...reexported];
}

function resolve(from: string, request: string): string | null {
  if (request.startsWith('node:')) return request;
  if (request.startsWith('.')) return normalize(join(dirname(from), request));
  const name = request
    .split('/')
    .slice(0, request.startsWith('@') ? 2 : 1)
    .join('/');
  const own = [...known.values()].find(({ folder }) => from.startsWith(`${folder}/`));
  if (own && !own.allowed.has(name)) faults.push(`${from} imports ${name}, which its own package.json does not name`);
  const workspace = known.get(name);
  if (!workspace) return `npm:${name}`;
  const entry = workspace.entries[request === name ? '.' : `.${request.slice(name.length)}`];
  return entry ? normalize(join(workspace.folder, entry)) : null;
}

const files = globSync(['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts']).filter((path) => !path.includes('node_modules'));
const arrows: Arrow[] = files.flatMap((from) =>
  importsOf(from).flatMap((request) => {
    const to = resolve(from, request);
    if (to === null) faults.push(`${from} imports ${request}, which is not exported`);
    return to === null || (to.startsWith('apps') && !existsSync(to)) ? [] : [{ from, to }];
  }),
);
for (const arrow of arrows) {
  for (const rule of arrowRules) if (rule.isBroken(arrow)) faults.push(`${arrow.from} → ${arrow.to}\n    ${rule.name}: ${rule.sentence}`);
}
const cycle = findCycle(arrows);
if (cycle)
  faults.push(
    `${cycle.join(' → ')}\n    no-cycles: No cycles, no barrels except a package's index.ts, no npm import missing from that workspace's own package.json.`,
  );
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${arrows.length} imports, ${faults.length} broken\n`);
process.exit(faults.length > 0 ? 1 : 0);
