/**
 * What the pages that people open first cost on a cheap phone: bytes on the wire by kind, first paint, and when what they came for
 * can be read, in Chromium at 360 × 640 with the processor at a quarter and 1.6 Mbit/s at 150 ms. Beside each what is wanted. Ends with a
 * fault where scripts grow past what they were when this was written; times are only told, as a busy machine says nothing about them.
 * Then what Lighthouse says of them; ends with a fault too where a page is below 95 in what a machine's speed has no part in.
 * At full length also when a signer sees the first page of a scan of one page and of one of 500 (98 MB), what came over the wire till then, and the ratio.
 *
 *     node bench/web.ts [short]
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { hostileFiles } from './hostile-files.ts';
import { tellLighthouse } from './lighthouse.ts';
import { sentToSigner } from './sent-to-signer.ts';
import { startBenchedProduct } from './product.ts';

const isShort = process.argv[2] === 'short';

interface Visit {
  name: string;
  path: string;
  /** What the person came for, once it can be seen. */
  shows: string;
  /** kB of JavaScript until then: wanted, and never more. */
  scripts: readonly [wanted: number, most: number];
  /** Wanted until the first paint, or until what `shows` names, ms. */
  paintMs?: number;
  shownMs?: number;
}

interface Seen {
  scripts: number;
  others: number;
  paintMs: number;
  shownMs: number;
}

/** Draws and reads PDFs; comes behind what the page itself is made of, and is told apart. */
const ENGINE = /\/assets\/pdf(-document-|\.worker\.)/;

/** Bytes as they came over the wire, by what they were. */
async function visit(browser: Browser, url: string, { path, shows }: Visit, slow: boolean): Promise<Seen> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    deviceScaleFactor: 2,
    hasTouch: true,
    locale: 'pt-BR',
  });
  const page = await context.newPage();
  const wire = await listen(page, slow);
  const begun = performance.now();
  await page.goto(`${url}${path}`);
  await page.locator(shows).first().waitFor({ timeout: 60_000 });
  const shownMs = performance.now() - begun;
  const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN);
  const seen = {
    scripts: wire.get('Script') ?? 0,
    others: [...wire].reduce((sum, [kind, bytes]) => (kind === 'Script' ? sum : sum + bytes), 0),
  };
  await context.close();
  return { ...seen, paintMs, shownMs };
}

async function listen(page: Page, slow: boolean): Promise<Map<string, number>> {
  const client = await page.context().newCDPSession(page);
  const kinds = new Map<string, string>();
  const wire = new Map<string, number>();
  client.on('Network.responseReceived', ({ requestId, type, response }) =>
    kinds.set(requestId, ENGINE.test(response.url) ? 'Engine' : /javascript/.test(response.mimeType) ? 'Script' : type),
  );
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other';
    wire.set(kind, (wire.get(kind) ?? 0) + encodedDataLength);
  });
  await client.send('Network.enable');
  if (slow) {
    const rate = 1_600_000 / 8;
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: rate,
      uploadThroughput: rate,
    });
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  return wire;
}

interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): { getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray } };
}

/** Runs in the page. */
function isColoured(): boolean {
  const { document } = globalThis as unknown as { document: { querySelector(selector: string): Canvas | null } };
  const canvas = document.querySelector('canvas');
  if (!canvas || canvas.width === 0) return false;
  const pixel = canvas.getContext('2d').getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data;
  return pixel[3] !== 0 && pixel.slice(0, 3).some((one) => one < 250);
}

/** Until the middle of the first page has a colour: the scans fill theirs. At full speed: what counts is how much had to come. */
async function firstPageOf(browser: Browser, address: string): Promise<{ ms: number; bytes: number }> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, locale: 'pt-BR' });
  const page = await context.newPage();
  await listen(page, false);
  let bytes = 0;
  const client = await context.newCDPSession(page);
  client.on('Network.dataReceived', ({ dataLength }) => (bytes += dataLength));
  await client.send('Network.enable');
  const begun = performance.now();
  await page.goto(address);
  await page.waitForFunction(isColoured, undefined, { timeout: 120_000 });
  const ms = performance.now() - begun;
  await context.close();
  return { ms, bytes };
}

await using product = await startBenchedProduct();
const signer = await sentToSigner(product, hostileFiles.manyPages(3));
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const visits: Visit[] = [
  { name: '/login', path: '/login', shows: 'h1', scripts: [110, 125], paintMs: 1500 },
  { name: '/validateLogin', path: '/validateLogin', shows: 'h1', scripts: [150, 130] },
  { name: '/signer', path: `/signer/${signer.processId}?user=${signer.key}`, shows: 'canvas', scripts: [150, 140], shownMs: 4000 },
];
let hasGrown = false;
const told = (value: number, wanted: number | undefined, unit: string): string =>
  wanted === undefined ? `${value.toFixed(0)} ${unit}` : `${value.toFixed(0)} of ${wanted} ${unit}${value > wanted ? ' !' : ''}`;
console.log('page              scripts on the wire     other bytes       first paint           shown');
for (const one of visits) {
  const seen = await visit(browser, product.url, one, !isShort);
  hasGrown ||= seen.scripts / 1000 > one.scripts[1];
  const columns = [
    told(seen.scripts / 1000, one.scripts[0], 'kB').padStart(20),
    told(seen.others / 1000, undefined, 'kB').padStart(15),
    told(seen.paintMs, one.paintMs, 'ms').padStart(20),
    told(seen.shownMs, one.shownMs, 'ms').padStart(20),
  ];
  console.log([one.name.padEnd(15), ...columns].join(' '));
}
const scans: { ms: number; bytes: number }[] = [];
for (const count of isShort ? [] : [1, 500]) {
  const file = hostileFiles.scans(count);
  const { processId, key } = await sentToSigner(product, file);
  const { ms, bytes } = await firstPageOf(browser, `${product.url}/signer/${processId}?user=${key}`);
  scans.push({ ms, bytes });
  const of = `scan of ${count} page${count > 1 ? 's' : ''}, ${(file.length / 1e6).toFixed(1)} MB`;
  console.log(`${of}: first page after ${ms.toFixed(0)} ms without a brake, ${(bytes / 1e6).toFixed(1)} MB read until then (unpacked)`);
}
const [one, many] = scans;
if (one && many)
  console.log(
    `the long one's first page: ${(many.ms / one.ms).toFixed(1)} × the time of the short one's, ${(many.bytes / one.bytes).toFixed(1)} × the bytes`,
  );
await browser.close();
const onePage = await sentToSigner(product, hostileFiles.manyPages(1));
const judged = [
  { path: '/login', token: null, isPrivate: false },
  { path: '/validateLogin', token: null, isPrivate: false },
  { path: '/signature', token: product.token(), isPrivate: true },
  { path: `/signer/${onePage.processId}?user=${onePage.key}`, token: null, isPrivate: true },
].map((one) => ({ ...one, name: one.path.replace(/(\w)\/.*/, '$1'), url: `${product.url}${one.path}` }));
const isBelow = await tellLighthouse(isShort ? judged.slice(0, 1) : judged, isShort ? ['mobile'] : ['mobile', 'desktop']);
if (hasGrown) console.error('scripts have grown');
if (isBelow) console.error('Lighthouse: below 95');
process.exitCode = hasGrown || isBelow ? 1 : 0;
