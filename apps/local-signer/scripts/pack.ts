// Makes the tarball that people install: our code in two JavaScript files, koffi as its one dependency.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const dist = join(workspace, 'dist');
const target = join(dist, 'package');

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly optionalDependencies: Record<string, string>;
  readonly engines: Record<string, string>;
}

const { version, description, optionalDependencies, engines } = JSON.parse(
  readFileSync(join(workspace, 'package.json'), 'utf8'),
) as Manifest;

rmSync(dist, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
await build({
  configFile: false,
  root: workspace,
  logLevel: 'error',
  ssr: { noExternal: true, external: Object.keys(optionalDependencies) },
  build: {
    ssr: true,
    target: 'node24',
    license: { fileName: 'licenses.md' },
    outDir: join(target, 'bin'),
    rollupOptions: {
      input: { 'lavra-signer': join(workspace, 'src/main.ts'), 'pkcs11-process': join(workspace, 'src/keys/pkcs11-process.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
const manifest = {
  name: 'lavra-signer',
  version,
  description,
  license: 'UNLICENSED',
  type: 'module',
  bin: { 'lavra-signer': './bin/lavra-signer.js' },
  files: ['bin'],
  optionalDependencies,
  engines,
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(workspace, 'README.md'), join(target, 'README.md'));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
execFileSync(npm, ['pack', '--pack-destination', dist, '--loglevel', 'error'], {
  cwd: target,
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
});
