import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, test } from '@playwright/test';
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
  const done = expect(page.getByText('Maria Grande', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
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
