import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

// Inside the repository the package runs straight from its .ts files, which Node refuses to do below a stranger's
// node_modules. npm takes `exports` and `bin` from package.json as it is, so what is packed is a staged folder with
// compiled files and a manifest made from ours.

const root = dirname(import.meta.dirname);
const workspace = join(root, 'packages/pades');
const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license?: string;
  readonly type: string;
  readonly sideEffects: boolean;
  readonly engines: Record<string, string>;
  readonly bin: Record<string, string>;
  readonly exports: Record<string, string>;
  readonly dependencies: Record<string, string>;
}

/** Compiles and packs `@lavra/pades` into `folder`; answers the tarball's path. */
export async function packPades(folder: string): Promise<string> {
  const stage = mkdtempSync(join(tmpdir(), 'lavra-pades-stage-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, '-p', join(workspace, 'tsconfig.build.json'), '--outDir', join(stage, 'dist')]);
    for (const path of globSync(join(stage, 'dist/**/*.d.ts'))) writeFileSync(path, withJsImports(readFileSync(path, 'utf8')));
    for (const name of ['README.md', 'OFL.txt']) cpSync(join(workspace, name), join(stage, name));
    const manifest = publishedManifest(read(join(workspace, 'package.json')), read(join(root, 'package.json')).license ?? 'UNLICENSED');
    for (const path of filesNamedIn(manifest)) {
      if (!existsSync(join(stage, path))) throw new Error(`${path} is named in package.json and was not compiled`);
    }
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    mkdirSync(folder, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)], {
      cwd: stage,
      shell: process.platform === 'win32',
    });
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    if (packed === undefined) throw new Error('npm pack made nothing');
    return join(resolve(folder), packed.filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function read(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

/** The compiler rewrites imports in what it compiles, not in the declarations it writes. */
function withJsImports(declarations: string): string {
  return declarations.replaceAll(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
}

const compiled = (path: string, extension: string): string => path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, extension);

function publishedManifest(own: Manifest, license: string): Record<string, unknown> {
  const { name, version, description, type, sideEffects, engines, bin, exports, dependencies } = own;
  const entry = (path: string) => ({ types: compiled(path, '.d.ts'), default: compiled(path, '.js') });
  return {
    name,
    version,
    description,
    license,
    engines,
    bin: Object.fromEntries(Object.entries(bin).map(([command, path]) => [command, compiled(path, '.js')])),
    type,
    sideEffects,
    exports: {
      ...Object.fromEntries(Object.entries(exports).map(([key, path]) => [key, entry(path)])),
      './package.json': './package.json',
    },
    dependencies,
  };
}

function filesNamedIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('./dist/') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesNamedIn) : [];
}

if (import.meta.main) {
  process.stdout.write(`${await packPades(process.argv[2] ?? join(workspace, 'dist'))}\n`);
}
