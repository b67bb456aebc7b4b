import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describe, it } from 'node:test';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
/** Where a path without its beginning may stand: what each page says of itself. */
const roots = ['', 'apps/server/src', 'apps/server/src/features', 'apps/server/src/features/signing', 'apps/server/src/features/sealing'];
/** Names of a kind, not of a file. */
const patterns = /^x\.|verb-noun|NNN|[*{]/;

describe('the documents', () => {
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');

    it(`name no file that is not there: ${page}`, () => {
      const named = [...text.matchAll(/`([\w@./{},*-]+\/[\w.{},*-]+\.(?:tsx?|mjs|json|css))`/g)].map(([, path = '']) => path);
      const missing = named.filter((path) => !patterns.test(path) && !roots.some((root) => existsSync(join(root, path))));
      assert.deepEqual(missing, []);
    });

    it(`link nowhere that is not there: ${page}`, () => {
      const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[\w-]+)?\)/g)].map(([, path = '']) => path);
      assert.deepEqual(
        links.filter((path) => !existsSync(join(dirname(page), path))),
        [],
      );
    });
  }
});

it('docs/spec-map.md names no file and no test of ours that is not there', () => {
  const roots = ['apps', 'packages', 'scripts', 'e2e', 'docs', 'locales', 'interop'];
  const files = roots.flatMap((root) => globSync(`${root}/**/*.{ts,tsx,json,md,css,yml}`, { exclude: (path) => path === 'node_modules' }));
  // `domain/quota.ts` is packages/domain/src/quota.ts.
  const bare = new Set(files.map((path) => `/${path.split(sep).join('/').replace('/src/', '/')}`));
  const isThere = (name: string) => [...bare].some((path) => path.endsWith(`/${name}`));
  const named = [...readFileSync('docs/spec-map.md', 'utf8').matchAll(/(?<![\w*/])[\w-][\w./-]*\.(?:tsx?|json|md|css|yml)\b/g)].map(
    ([name]) => name,
  );
  const tests = [
    ...readFileSync('docs/spec-map.md', 'utf8').matchAll(/\b(?:web|server) ([\w/.-]+(?:, [\w/.-]+)*(?: and [\w/.-]+)?) tests?\b/g),
  ]
    .flatMap(([, names = '']) => names.split(/, | and /))
    .filter((name) => !/\.ts$|^(tracing|commands)/.test(name));
  assert.deepEqual([named.length > 100, tests.length > 50], [true, true]);
  assert.deepEqual([...named.filter((name) => !isThere(name)), ...tests.filter((name) => !isThere(`${name}.test.ts`))], []);
});

/** Typed nowhere but in tests: what they ask is a provider's own answer. */
const askedOutside = new Set(['psc']);

describe('what the pages for operators tell to type', () => {
  const read = (path: string) => readFileSync(path, 'utf8');
  const operators = ['docs/operating.md', 'docs/operations.md'].map(read).join('\n');
  const typed = [...operators.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block).join('');
  const runs = ['.ci/run', 'interop/judged-installation.ts'].map(read).join('\n');

  it('is typed by the run on a fresh Debian, or run for every change', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const server = /^ {2}(backup(?: \| [\w-]+)+)\) ;;$/m.exec(read('scripts/release/lavra-server'))?.[1]?.split(' | ') ?? [];
    assert.ok(server.length >= 8);
    const named = new Set(
      [...operators.matchAll(/`npm (?:run )?([\w-]+)(?: -- ([a-z]+)(?=`))?/g)].map(([, name, part]) =>
        part ? `${name} -- ${part}` : name,
      ),
    );
    const untyped = [...named, ...server].filter((name = '') => {
      const [command = '', part] = name.split(' -- ');
      if (command === 'run' || askedOutside.has(command)) return false;
      if (!scripts[command]) return true;
      if (server.includes(command)) return !new RegExp(`/bin/lavra ${command.replace('audit-storage', 'audit')}\\b`).test(typed);
      if (command === 'start') return !/program\/main\.mjs/.test(read('scripts/release/lavra-server'));
      if (command === 'release') return !/scripts\/release\.ts/.test(runs);
      // All of its measures, in their short mode.
      if (command === 'bench' && part) return !new RegExp(`\\n {2}'?${part}'?: \\[`).test(read('bench/run.ts'));
      return !new RegExp(`npm run ${command}\\b${part === undefined || part === 'bucket' ? '' : ` -- .*\\b${part}\\b`}`).test(runs);
    });
    assert.deepEqual(untyped, []);
  });
});
