import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { maxPages, scale, withoutAlpha } from './picture.ts';
import type { Drawer, Drawn, Medium } from './picture.ts';

/** Where Debian puts it. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const quietly = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
const pagesUntilFresh = 2000;
const startPatience = 30_000;
const patience = 15_000;

/** Runs in the page: all pages as the reader that the product shows documents with draws them, dots in base64. */
const script = `
import { getDocument, GlobalWorkerOptions, AnnotationMode, PDFWorker } from '/legacy/build/pdf.mjs';
GlobalWorkerOptions.workerSrc = '/legacy/build/pdf.worker.mjs';
const assets = { cMapUrl: '/cmaps/', cMapPacked: true, standardFontDataUrl: '/standard_fonts/', wasmUrl: '/wasm/', enableXfa: false };
const kept = new PDFWorker();
window.drawPdf = async (base64, medium, alone) => {
  const worker = alone ? new PDFWorker() : kept;
  const task = getDocument({ ...assets, worker, data: Uint8Array.fromBase64(base64) });
  try {
    const pdf = await task.promise;
    const pictures = [];
    for (let number = 1; number <= Math.min(pdf.numPages, ${maxPages}); number++) {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale: ${scale} / page.userUnit });
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(viewport.width);
      canvas.height = Math.round(viewport.height);
      const [intent, annotationMode] = medium === 'print' ? ['print', AnnotationMode.ENABLE_STORAGE] : ['display', AnnotationMode.ENABLE];
      await page.render({ canvas, viewport, intent, annotationMode }).promise;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      pictures.push({ width: canvas.width, height: canvas.height, dots: new Uint8Array(data.buffer).toBase64() });
    }
    return pictures;
  } catch {
    return null;
  } finally {
    await task.destroy();
    if (alone) worker.destroy();
  }
};
window.isReady = true;
`;

const kinds: Readonly<Record<string, string>> = { mjs: 'text/javascript', js: 'text/javascript', html: 'text/html' };

/** pdf.js in Debian's Chromium: one page kept open. */
export async function pdfjs(): Promise<Drawer> {
  const server = await assetServer();
  const browser = await chromium.launch({ executablePath: chromiumPath, args: quietly });
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Page> => {
    const page = await browser.newPage();
    page.setDefaultTimeout(startPatience);
    await page.goto(`http://127.0.0.1:${port}/start.html`);
    await page.waitForFunction('window.isReady === true');
    return page;
  };
  let page = open();
  let drawn = 0;
  /** Another page from now on; nobody waits for the old one's end. */
  const leave = (old: Promise<Page>, after: number): void => {
    if (page !== old) return;
    page = open();
    // Whether it opens is asked by whoever draws in it.
    page.catch(() => undefined);
    setTimeout(() => void old.then((one) => one.close()).catch(() => undefined), after).unref();
  };
  const drawIn = async (file: Uint8Array, medium: Medium, alone: boolean): Promise<Drawn> => {
    if (++drawn % pagesUntilFresh === 0) leave(page, patience);
    const current = page;
    const asked = `window.drawPdf(${JSON.stringify(Buffer.from(file).toString('base64'))}, ${JSON.stringify(medium)}, ${alone})`;
    const evaluated = (one: Page) => inTime(one.evaluate<{ width: number; height: number; dots: string }[] | null>(asked));
    const pictures = await current.then(evaluated, () => 'late' as const);
    if (pictures === 'late') {
      // Others that draw in it at the time are late with it.
      leave(current, 0);
      return 'endless';
    }
    return pictures?.map(({ width, height, dots }) => withoutAlpha(width, height, Buffer.from(dots, 'base64'))) ?? null;
  };
  const close = async () => {
    await browser.close();
    server.close();
  };
  const draw = (file: Uint8Array, medium: Medium) => drawIn(file, medium, false);
  // What a worker drew before shows in pdf.js: it keeps the font of notes without a look for the next document, where its number is another object's.
  const drawAlone = (file: Uint8Array, medium: Medium) => drawIn(file, medium, true);
  return { name: 'pdf.js', draw, drawAlone, close };
}

async function inTime<T>(work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), patience);
  });
  // A page that is closed while it works answers with an error: late, too.
  return Promise.race([work, late])
    .catch(() => 'late' as const)
    .finally(() => clearTimeout(timer));
}

/** pdf.js with its fonts and character maps, on this machine's own address. */
async function assetServer(): Promise<ReturnType<typeof createServer>> {
  const root = dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist'))));
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const type = kinds[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    const answer = (body: string | Uint8Array) => response.setHeader('content-type', type).end(body);
    if (path === '/start.html') answer('<!doctype html><script type="module" src="/draw.js"></script>');
    else if (path === '/draw.js') answer(script);
    else
      readFile(join(root, path)).then(answer, () => {
        response.statusCode = 404;
        response.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
