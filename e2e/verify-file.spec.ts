import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
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
  await expect(page.getByText('contrato.pdf não tem nenhuma assinatura digital.')).toBeVisible();
});

test('a file of 100 MB is verified in the browser', async ({ page }) => {
  const path = join(folder, 'grande.pdf');
  writeFileSync(path, await largeSignedPdf(100 << 20));
  await page.goto(`${product.url}/validateLogin`);
  await page.getByLabel('Escolher arquivo PDF').setInputFiles(path);
  await expect(page.getByText('Maria Grande')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('não foi emitido por uma autoridade reconhecida aqui')).toBeVisible();
  await expect(page.getByText('Indeterminada')).toBeVisible();
});
