import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  createRoot,
  issueSignerCertificate,
  issueTimestampCertificate,
  privateKeyOf,
  rootRevocationList,
  timestampAuthority,
} from '../packages/make-believe/src/index.ts';
import { simplePdf } from '../packages/pades/src/testing/make-pdf.ts';
import { packPades } from './pack-pades.ts';

const root = dirname(import.meta.dirname);
const readme = readFileSync(join(root, 'packages/pades/README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'packages/pades/package.json'), 'utf8')) as { exports: Record<string, string> };
const workspaceErrors = readFileSync(join(root, 'packages/pades/src/errors.ts'), 'utf8');

/** The README's blocks in one language, in order. */
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, body = '']) => body);

/** A project that has never heard of this repository: the tarball installed, and the files the README speaks of. */
const folder = mkdtempSync(join(tmpdir(), 'lavra-stranger-'));
const at = (...names: string[]): string => join(folder, ...names);
const installed = at('node_modules/@lavra/pades');
let tsa = '';
const server = createServer();

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs in the stranger's project; nothing that npm said to our own scripts reaches it but where its registry is. */
function run(program: string, ...parameters: string[]): Promise<Ended> {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|.*proxy|cafile|userconfig)$)/i.test(name));
  return new Promise((resolve) => {
    const env = { ...Object.fromEntries(kept), TSA: tsa, TZ: 'America/Sao_Paulo' };
    execFile(program, parameters, { cwd: folder, env, timeout: 120_000 }, (failure, out, error) => {
      resolve({ code: typeof failure?.code === 'number' ? failure.code : failure ? -1 : 0, out, error });
    });
  });
}

describe('the packed library in a project of strangers', () => {
  before(async () => {
    const authority = await createRoot('Raiz');
    const [signer, stamp] = [await issueSignerCertificate(authority, 'Maria'), await issueTimestampCertificate(authority, 'Carimbo')];
    const der = (bytes: ArrayBuffer) => new Uint8Array(bytes);
    const answer = timestampAuthority({
      certificate: der(stamp.certificate.rawData),
      chain: [der(authority.certificate.rawData)],
      key: await privateKeyOf(stamp),
    });
    server.on('request', async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      response.end(answer(new Uint8Array(Buffer.concat(parts))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    tsa = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const key = (await privateKeyOf(signer)).export({ format: 'pem', type: 'pkcs8' });
    writeFileSync(at('maria.pem'), `${signer.certificate.toString('pem')}\n${key}`);
    execFileSync('openssl', ['pkcs12', '-export', '-in', 'maria.pem', '-passout', 'pass:senha', '-out', 'maria.pfx'], { cwd: folder });
    writeFileSync(at('senha.txt'), 'senha\n');
    writeFileSync(at('raiz.pem'), authority.certificate.toString('pem'));
    const list = { certificate: authority.certificate, privateKey: authority.keys.privateKey };
    writeFileSync(at('lista.crl'), await rootRevocationList(list));
    writeFileSync(at('contrato.pdf'), simplePdf());
    writeFileSync(at('package.json'), JSON.stringify({ private: true, type: 'module' }));
    const tarball = await packPades(at('tarball'));
    const { code, error } = await run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball);
    if (code !== 0)
      throw new Error(`The tarball was not installed: this test needs the npm registry, or a cache that has it all.\n${error}`);
  });

  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('it has what it needs and no more: compiled files, declarations, README, the licence of its fonts; no tests, no helpers of tests', () => {
    const files = globSync('**/*', { cwd: installed, exclude: ['node_modules'] }).filter((path) => /\.\w+$/.test(path));
    const strange = files.filter((path) => !/^dist\/.*\.(js|d\.ts)$|^README\.md$|^OFL\.txt$|^package\.json$/.test(path));
    assert.deepEqual(strange, []);
    assert.deepEqual(
      files.filter((path) => /testing|\.test\.|vectors/.test(path)),
      [],
    );
    const packed = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
      private?: true;
    };
    assert.equal(packed.private, undefined);
    for (const version of Object.values(packed.dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, 'exact');
    assert.ok(!existsSync(at('node_modules/@lavra/make-believe')));
  });

  test('every entry is imported by its name', async () => {
    const names = Object.keys(manifest.exports).map((path) => path.replace(/^\./, '@lavra/pades'));
    const script = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0)`;
    const { out, error } = await run(process.execPath, '--input-type=module', '--eval', script);
    assert.deepEqual(
      out.trim().split('\n'),
      names.map((name) => `${name} true`),
      error,
    );
    const inside = await run(process.execPath, '--input-type=module', '--eval', `await import('@lavra/pades/dist/cli/run.js')`);
    assert.match(inside.error, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  test('the commands of the README do what it says', async () => {
    const lines = blocks('sh').flatMap((block) => block.trim().split('\n'));
    assert.ok(['sign', 'extend', 'inspect', 'verify'].every((name) => lines.some((line) => line.startsWith(`npx lavra-pades ${name} `))));
    let last: Ended | null = null;
    for (const line of lines) {
      last = await run('sh', '-c', line.replace('npx ', 'npx --no-install '));
      assert.equal(last.code, 0, `${line}\n${last.out}${last.error}`);
    }
    assert.match(
      last?.out ?? '',
      /^Tudo certo: o documento é o que foi assinado por Maria\.\nAssinatura 1 de 1: VÁLIDA\n {2}Assinada por: {2}Maria\n(.*\n)* {2}Data: .* provada por carimbo do tempo\n {2}Tipo: {10}B-LTA, AD-RT 1\.3\n/,
    );
  });

  test('the examples of the README run, in order', async () => {
    const examples = blocks('ts').filter((block) => !block.startsWith('// In a page'));
    assert.ok(examples.length >= 5);
    let printed = '';
    for (const [index, example] of examples.entries()) {
      writeFileSync(at(`example-${index}.ts`), example);
      const { code, out, error } = await run(process.execPath, '--disable-warning=ExperimentalWarning', `example-${index}.ts`);
      assert.equal(code, 0, `${example}\n${error}`);
      printed += out;
    }
    assert.match(printed, /TOTAL-PASSED/);
    assert.match(printed, /P12_WRONG_PASSWORD/);
    const [before, signed] = [readFileSync(at('contrato.pdf')), readFileSync(at('assinado.pdf'))];
    assert.deepEqual(signed.subarray(0, before.length), before);
  });

  test('a strict TypeScript consumer compiles: for Node all of it, for browsers without the types of Node', async () => {
    for (const [index, example] of blocks('ts').entries()) writeFileSync(at(`readme-${index}.ts`), example);
    const everything = Object.keys(manifest.exports).map(
      (path, index) => `export * as e${index} from '${path.replace(/^\./, '@lavra/pades')}';`,
    );
    writeFileSync(at('readme-all.ts'), everything.join('\n'));
    writeFileSync(at('page.ts'), `export * as pades from '@lavra/pades';\nexport * as p12 from '@lavra/pades/p12';\n`);
    symlinkSync(join(root, 'node_modules/@types'), at('types'));
    const common = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true };
    const projects = {
      'tsconfig.node.json': {
        compilerOptions: {
          ...common,
          target: 'es2022',
          lib: ['es2023', 'esnext.disposable'],
          module: 'nodenext',
          typeRoots: ['types'],
          types: ['node'],
        },
        include: ['readme-*.ts'],
      },
      'tsconfig.page.json': {
        compilerOptions: { ...common, target: 'es2022', lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler', types: [] },
        include: ['page.ts'],
      },
    };
    // The page's example needs the DOM, which Node's has no part in.
    projects['tsconfig.node.json'].compilerOptions.lib.push('dom');
    for (const [name, project] of Object.entries(projects)) {
      writeFileSync(at(name), JSON.stringify(project));
      const { code, out } = await run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', name);
      assert.equal(code, 0, `${name}\n${out}`);
    }
  });

  test('a bundler takes it for the browser: verifying and certificate files are lazy chunks, without Node and without fonts', async (context) => {
    mkdirSync(at('web'));
    const lazy = {
      verify: `export { memorySource, openPdf, verifyPdf, icpBrasilTrust, govBrTrust, joinTrust } from '@lavra/pades';`,
      p12: `export * from '@lavra/pades/p12';`,
    };
    writeFileSync(at('web/index.html'), '<script type="module" src="main.js"></script>');
    writeFileSync(at('web/main.js'), `window.load = { verify: () => import('./verify.js'), p12: () => import('./p12.js') };`);
    for (const [name, text] of Object.entries(lazy)) writeFileSync(at('web', `${name}.js`), text);
    const { code, error } = await run(
      process.execPath,
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      'web',
      '--manifest',
      '--logLevel',
      'error',
    );
    assert.equal(code, 0, error);
    const made = JSON.parse(readFileSync(at('web/dist/.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
    const sizes = Object.fromEntries(
      Object.keys(lazy).map((name) => {
        const files = staticFiles(made, `${name}.js`);
        const texts = files.map((file) => readFileSync(at('web/dist', file)));
        for (const text of texts) assert.doesNotMatch(text.toString(), /from ?["']node:|fontkit/);
        return [name, texts.reduce((sum, text) => sum + gzipSync(text).length, 0)];
      }),
    );
    const later = Object.values(made).filter(({ isDynamicEntry, src }) => isDynamicEntry && !/^(verify|p12)\.js$/.test(src ?? ''));
    for (const { src, file } of later)
      sizes[src?.replace(/^.*node_modules\//, '') ?? file] = gzipSync(readFileSync(at('web/dist', file))).length;
    for (const [name, size] of Object.entries(sizes)) context.diagnostic(`${name}: ${(size / 1000).toFixed(1)} kB (gzip)`);
    // What a page waits for. More than this is a dependency that came in, or code that verifying does not need.
    assert.ok((sizes['verify'] ?? Infinity) < 60_000, `verify: ${sizes['verify']}`);
    assert.ok((sizes['p12'] ?? Infinity) < 30_000, `p12: ${sizes['p12']}`);
  });

  test('everything public has a docstring', () => {
    const bare: string[] = [];
    for (const source of Object.values(manifest.exports)) {
      const entry = join(installed, source.replace('./src/', 'dist/').replace(/\.ts$/, '.d.ts'));
      for (const [name, file] of exportsOf(entry)) {
        if (
          !new RegExp(`\\*/\\s*export (declare )?(abstract )?(async )?(function|interface|type|class|const) ${name}\\b`).test(
            readFileSync(file, 'utf8'),
          )
        ) {
          bare.push(`${name} in ${file.slice(installed.length + 1)}`);
        }
      }
    }
    assert.deepEqual(bare, []);
  });

  test('the README names every code of an error, and no other', () => {
    const union = workspaceErrors.slice(workspaceErrors.indexOf('export type PadesErrorCode'), workspaceErrors.indexOf('/** A refusal.'));
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code);
    const table = readme.slice(readme.indexOf('## Errors'), readme.indexOf('\n## ', readme.indexOf('## Errors') + 1));
    const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);
    assert.deepEqual(named.toSorted(), codes.toSorted());
  });
});

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

/** A chunk and all that must be there before it runs, the page's own script aside. */
function staticFiles(chunks: Record<string, Chunk>, key: string, seen = new Set<string>()): string[] {
  const chunk = chunks[key];
  if (chunk === undefined || seen.has(key) || key === 'index.html') return [];
  seen.add(key);
  return [chunk.file, ...(chunk.imports ?? []).flatMap((one) => staticFiles(chunks, one, seen))];
}

/** What an entry's declarations export, and the file that declares it. */
function exportsOf(entry: string): [name: string, file: string][] {
  const text = readFileSync(entry, 'utf8');
  const passedOn = [...text.matchAll(/export (?:type )?\{([^}]+)\} from '(.+?)\.js'/g)].flatMap(([, names = '', path = '']) =>
    names.split(',').map((name): [string, string] => [name.trim(), join(dirname(entry), `${path}.d.ts`)]),
  );
  const own = [...text.matchAll(/^export (?:declare )?(?:async )?(?:function|interface|type|class|const) (\w+)/gm)].map(
    ([, name = '']): [string, string] => [name, entry],
  );
  return [...passedOn, ...own];
}
