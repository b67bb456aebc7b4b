import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { makeContract } from './documents.ts';
import { expectNoFaults, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { largeSignedPdf } from './signed-file.ts';

let product: Product;
const folder = mkdtempSync(join(tmpdir(), 'lavra-verify-'));
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
});
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

test('a visitor learns what is no PDF and what is not signed', async ({ page }) => {
  await page.goto(`${product.url}/validateLogin`);
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('Escolher arquivo PDF').setInputFiles({ name, mimeType: 'application/pdf', buffer });
  await choose('foto.pdf', Buffer.from('GIF89a'));
  await expect(page.getByText('Este arquivo não é um PDF.')).toBeVisible();
  await choose('contrato.pdf', await makeContract('Contrato', 1));
  await expect(page.getByText('Este arquivo não tem nenhuma assinatura digital.')).toBeVisible();
});

/** A file of this computer, held over a place of the page and let go there: the browser's own events, not a script's. */
async function dropAt(page: Page, path: string, x: number, y: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}

test('a file dropped anywhere is verified where files are verified, and nowhere leads out of the product', async ({ page, context }) => {
  const path = join(folder, 'solto.pdf');
  writeFileSync(path, await largeSignedPdf(1 << 20));
  await page.goto(`${product.url}/login`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await dropAt(page, path, 40, 400);
  await page.goto(`${product.url}/validateLogin?docId=12d417a5-6205-42f8-a8cb-39ef3ebb9f8b`);
  await expect(page.getByLabel('Identificador do documento')).toHaveValue('12d417a5-6205-42f8-a8cb-39ef3ebb9f8b');
  await dropAt(page, path, 5, 400);
  const verdict = page.getByRole('region', { name: 'Resultado: solto.pdf' });
  await expect(verdict).toContainText('Falta confirmar quem assinou.');
  await expect(verdict).toContainText('O documento não mudou depois de assinado');
  await expect(page.getByText('Quem emitiu o certificado: a autoridade não é reconhecida aqui.')).toBeVisible();
  expect(context.pages().map((one) => new URL(one.url()).pathname)).toEqual(['/validateLogin']);

  // On paper: what was found, everything unfolded, and which file it was.
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.getByText('Relatório de verificação')).toBeVisible();
  await expect(page.getByText(createHash('sha256').update(readFileSync(path)).digest('hex'))).toBeVisible();
  await expect(page.getByRole('button', { name: 'Imprimir relatório' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
  await page.screenshot({ path: 'test-results/shots/verify-report.png', fullPage: true });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  await expect(page.getByText('SHA-256 deste arquivo')).toBeHidden();
});

/** What the browser's page processes hold in memory, in bytes: the largest of them, as the system counts it. */
async function residentOfPages(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentOf(id));
  return Math.max(0, ...sizes);
}

function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Tells by the console how large a piece of the file the worker reads, each time it is the largest so far. */
const tellReads = `{
  let largest = 0;
  const { arrayBuffer } = Blob.prototype;
  Blob.prototype.arrayBuffer = function () {
    if (this.size > largest) console.info('piece ' + (largest = this.size));
    return arrayBuffer.call(this);
  };
}
`;

test('a file of 100 MB and more is verified in the browser without being loaded whole', async ({ page, browser }) => {
  const size = 200 << 20;
  const path = join(folder, 'grande.pdf');
  writeFileSync(path, await largeSignedPdf(size));
  const pieces: number[] = [];
  page.on('console', (message) => {
    const piece = /^piece (\d+)$/.exec(message.text());
    if (piece !== null) pieces.push(Number(piece[1]));
  });
  await page.route(/verify-file\.worker.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: tellReads + (await response.text()) });
  });
  await page.goto(`${product.url}/validateLogin`);
  const before = await residentOfPages(browser);
  let most = before;
  const done = expect(page.getByText('Maria Grande', { exact: true }).first()).toBeVisible({ timeout: 150_000 });
  await page.getByLabel('Escolher arquivo PDF').setInputFiles(path);
  for (let isDone = false; !isDone;) {
    isDone = await Promise.race([done.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 50))]);
    most = Math.max(most, await residentOfPages(browser));
  }
  await expect(page.getByText('não foi emitido por uma autoridade reconhecida aqui')).toBeVisible();
  await expect(page.getByText('Indeterminada', { exact: true })).toBeVisible();
  expect(Math.max(...pieces)).toBeGreaterThan(0);
  expect(Math.max(...pieces)).toBeLessThanOrEqual(1 << 20);
  expect(most - before, 'memory of the page while it verifies').toBeLessThan(0.75 * size);
});
