import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { closureOf, openedPages, pageScripts, readManifest } from '../apps/server/src/http/page-scripts.ts';

const built = 'apps/web/dist';

interface Weight {
  readonly address: string;
  /** What its screen cannot be shown without. */
  readonly page: readonly string[];
  /** kB of scripts, gzip: what is wanted, where something is, and what it never grows past without a decision. */
  readonly wanted?: number;
  readonly most: number;
  /** As many files as they come in: each is a request, and a wait on a slow network. */
  readonly files: number;
}

/** What shows a page at first stands in it. */
const begun = ['src/main.tsx'];
const signedIn = ['src/signed-in.routes.tsx', 'src/shell/menu.tsx', 'src/shell/account-menu.tsx'];
const weights: readonly Weight[] = [
  { address: '/login', page: ['src/features/accounts/login.page.tsx'], wanted: 110, most: 110, files: 6 },
  // The engine that draws pages comes apart: who is asked to sign, and what, is told before.
  { address: '/signer/1', page: ['src/features/signing/signer.page.tsx'], wanted: 150, most: 121, files: 8 },
  { address: '/validateLogin', page: ['src/features/verification/validate-login.page.tsx'], most: 117, files: 8 },
  { address: '/validate', page: ['src/features/verification/validate.page.tsx'], most: 122, files: 8 },
  { address: '/signature', page: [...signedIn, 'src/features/processes/reading/home.page.tsx'], most: 124, files: 12 },
];

describe('the scripts of a page', () => {
  const manifest = readManifest(built);
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const size = sizes.get(file) ?? gzipSync(readFileSync(`${built}/${file}`), { level: 9 }).length;
    sizes.set(file, size);
    return size;
  };
  const weightOf = (page: readonly string[]) =>
    [...closureOf(manifest, [...begun, ...page])].reduce((sum, file) => sum + sizeOf(file), 0) / 1000;

  for (const { address, page, wanted = Number.POSITIVE_INFINITY, most, files } of weights)
    it(`of ${address} weigh no more than ${most} kB (gzip), in ${files} files`, () => {
      assert.equal(closureOf(manifest, [...begun, ...page]).size, files);
      for (const source of page) assert.ok(manifest[source], `${source} is no chunk of its own`);
      const weight = weightOf(page);
      assert.ok(weight <= Math.min(wanted, most), `${weight.toFixed(1)} kB`);
    });

  it('draw a PDF’s first page with at most 150 kB beside the engine', () => {
    const viewer = Object.keys(manifest).find((key) => manifest[key]?.name === 'pdf-viewer') ?? '';
    const files = [...closureOf(manifest, [...begun, 'src/features/signing/signer.page.tsx', viewer])];
    const engine = files.filter((file) => readFileSync(`${built}/${file}`, 'utf8').includes('PDFWorker'));
    assert.equal(engine.length, 1, 'one file has the engine');
    const beside = files.filter((file) => !engine.includes(file)).reduce((sum, file) => sum + sizeOf(file), 0) / 1000;
    assert.ok(beside <= 150, `${beside.toFixed(1)} kB`);
  });

  it('of the engine that draws pages come behind the signer’s page’s own, and with no other page', () => {
    const head = pageScripts(manifest, '');
    const later = [...head('/signer/1').matchAll(/<link rel="prefetch" href="\/([^"]+)">/g)].map(([, file = '']) => file);
    for (const name of ['pdf-viewer', 'pdf-document', 'pdf.worker'])
      assert.equal(later.filter((file) => file.startsWith(`assets/${name}`)).length, 1, name);
    assert.ok(head('/signer/1').lastIndexOf('modulepreload') < head('/signer/1').indexOf('prefetch'));
    // Until something of the page has been seen it is inert.
    assert.match(head('/signer/1'), /<template class="once-seen">(<link rel="prefetch" href="[^"]+">)+<\/template>$/);
    for (const { address } of weights.filter((one) => one.address !== '/signer/1')) assert.doesNotMatch(head(address), /prefetch/);
  });

  it('are named in the page’s head where it is opened from outside, each a page of the addresses', () => {
    const head = pageScripts(manifest, '');
    for (const { address, page } of weights) {
      const named = head(address);
      for (const source of page) assert.ok(named.includes(`/${manifest[source]?.file}"`), `${address} ${source}`);
    }
    const routes = ['routes', 'signed-in.routes'].map((file) => readFileSync(`apps/web/src/${file}.tsx`, 'utf8')).join('\n');
    for (const source of openedPages.flatMap(([, ...sources]) => sources).filter((one) => one.endsWith('.page.tsx')))
      assert.ok(manifest[source] && routes.includes(source.replace('src/', './')), source);
  });
});
