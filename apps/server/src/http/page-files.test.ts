import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { frozenClock } from '../testing/clock.ts';

const locales = join(import.meta.dirname, '../../../../locales');

describe('pages of two versions beside each other', { concurrency: false }, () => {
  const clock = frozenClock();
  const nodes: TestApp[] = [];
  let folder: string;
  let database: TestDatabase;

  /** A built tree whose entry and sentences are its own. */
  async function build(version: string): Promise<string> {
    const tree = join(folder, version);
    await mkdir(join(tree, 'web/assets'), { recursive: true });
    await mkdir(join(tree, 'web/.vite'));
    const entry = `assets/main-${version}.js`;
    const text = `export const version = '${version}';`;
    await writeFile(join(tree, 'web', entry), text);
    await writeFile(join(tree, 'web', `${entry}.br`), brotliCompressSync(text));
    await writeFile(join(tree, `web/assets/letters-${version}.woff2`), version);
    await writeFile(join(tree, 'web/.vite/manifest.json'), JSON.stringify({ 'index.html': { file: entry, isEntry: true } }));
    await writeFile(
      join(tree, 'web/index.html'),
      `<head><meta name="locale-files" content="__LOCALE_FILES__"></head><script src="/${entry}"></script>`,
    );
    await cp(locales, join(tree, 'locales'), { recursive: true });
    const sentences = join(tree, 'locales/pt-br/home.json');
    const read = JSON.parse(await readFile(sentences, 'utf8')) as Record<string, string>;
    await writeFile(sentences, JSON.stringify({ ...read, 'home.ofTheVersion': `Lavra ${version}` }));
    return tree;
  }

  async function start(tree: string): Promise<TestApp> {
    const config = { webDir: join(tree, 'web'), localesDir: join(tree, 'locales') };
    const first = nodes[0];
    const app = await startTestApp({
      clock,
      connection: database.connection,
      config: { ...config, ...(first ? { dataDir: first.dataDir } : {}) },
    });
    nodes.push(app);
    return app;
  }

  /** What a browser asks for after the page of this node. */
  async function partsOf(node: TestApp): Promise<string[]> {
    const { body } = await node.inject('/login');
    const sentences = /content="([^"]+)"/.exec(body)?.[1]?.split(' ') ?? [];
    return [/src="([^"]+)"/.exec(body)?.[1] ?? '', ...sentences.map((name) => `/i18n/${name}`)];
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lavra-pages-'));
    database = await createTestDatabase();
  });
  after(async () => {
    for (const node of nodes) await node.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('are whole whichever node is asked for their parts, and for a week after', async () => {
    const older = await start(await build('older'));
    const newer = await start(await build('newer'));
    for (const [page, asked, version] of [
      [older, newer, 'older'],
      [newer, older, 'newer'],
    ] as const) {
      const [entry = '', sentences = ''] = await partsOf(page);
      const script = await asked.inject({ url: entry, headers: { 'accept-encoding': 'br' } });
      assert.equal(brotliDecompressSync(script.rawPayload).toString(), `export const version = '${version}';`);
      assert.match(String(script.headers['content-type']), /^text\/javascript/);
      assert.match(String(script.headers['cache-control']), /immutable/);
      assert.equal((await asked.inject(entry)).body, `export const version = '${version}';`);
      assert.equal((await asked.inject(sentences)).json()['home.ofTheVersion'], `Lavra ${version}`);
      assert.equal((await asked.inject(`/assets/letters-${version}.woff2`)).headers['content-type'], 'font/woff2');
    }
    assert.equal((await newer.inject('/assets/of-no-version.js')).statusCode, 404);
    for (const method of ['POST', 'PUT', 'DELETE'] as const)
      assert.equal((await newer.inject({ method, url: (await partsOf(older))[0] ?? '' })).statusCode, 404, method);
    const old = (await partsOf(older))[0] ?? '';
    clock.advance({ days: 6 });
    assert.equal((await (await start(join(folder, 'newer'))).inject(old)).statusCode, 200);
    clock.advance({ days: 2 });
    const last = await start(join(folder, 'newer'));
    assert.equal((await last.inject(old)).statusCode, 404);
    assert.deepEqual(
      (await Promise.all((await partsOf(newer)).map((part) => last.inject(part)))).map(({ statusCode }) => statusCode),
      [200, 200, 200, 200],
    );
  });
});
