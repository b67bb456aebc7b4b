import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type Download, expect, type Page, test } from '@playwright/test';
import { memorySource, openPdf, preparePdf, readAll, type Revision, signPdf, withRevision } from '@lavra/pades';
import { edit, streamText } from '../packages/pades/src/testing/attacks/write-revision.ts';
import { conformingPdf } from '../packages/pades/src/testing/conforming.ts';
import { throwawaySigner } from '../packages/pades/src/testing/throwaway-signer.ts';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import {
  addSigner,
  chooseTyped,
  expectNoFaults,
  fillPerson,
  newPerson,
  openSignature,
  place,
  pressSign,
  registerFirstAccount,
  signIn,
  submitCreation,
  watchServer,
} from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

let product: Product;
const folder = mkdtempSync(join(tmpdir(), 'lavra-after-'));
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await newPerson(browser);
  await registerFirstAccount(product, page);
  await page.context().close();
});
test.afterAll(async () => {
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
});
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

async function appended(bytes: Uint8Array, make: (pdf: Awaited<ReturnType<typeof openPdf>>) => Promise<Revision>): Promise<Buffer> {
  const source = memorySource(bytes);
  return Buffer.from(await readAll(withRevision(source, await make(await openPdf(source)))));
}

/** A contract that another platform's user has signed. */
async function signedElsewhere(): Promise<Buffer> {
  const request = { field: { name: 'antes' }, signingTime: new Date() };
  return appended(await makeContract('Aditivo', 2), (pdf) => signPdf(pdf, throwawaySigner('Rui de Antes'), request));
}

/** A contract with a form that nobody has filled in. */
async function withOpenFields(): Promise<Buffer> {
  const names = ['cidade', 'data'];
  const boxes = names.map((name, index) => ({ name, at: { page: 1, rect: { x: 72, y: 500 - 60 * index, width: 200, height: 24 } } }));
  const bytes = await appended(await makeContract('Ficha', 1), (pdf) => preparePdf(pdf, { textFields: boxes }));
  // What the engine prepares is read-only: this form is anybody's.
  return Buffer.from(bytes.toString('latin1').replaceAll('/Ff 4097', '/Ff 4096'), 'latin1');
}

async function bytesOf(download: Download): Promise<Buffer> {
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return readFileSync(path);
}

async function saved(page: Page, name: string | RegExp, nth = 0): Promise<{ name: string; bytes: Buffer }> {
  const button = page.getByRole('button', { name }).nth(nth);
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) };
}

async function send(page: Page, file: string, buffer: Buffer, told: RegExp, shot: string): Promise<void> {
  await signIn(product, page);
  await page.setInputFiles('input[type=file]', { name: file, mimeType: 'application/pdf', buffer });
  await page.waitForURL('**/prepare');
  await expect(page.getByText(told)).toBeVisible();
  await expectAccessible(page, `${shot}-prepare`);
  await addSigner(page, 'Beatriz Conceição', 'bia@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await expect(page.getByText(told)).toBeVisible();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await expectAccessible(page, `${shot}-confirm`);
  await submitCreation(page);
}

async function signAsBia(browser: Browser): Promise<Page> {
  const bia = await newPerson(browser, { geolocation: place, permissions: ['geolocation'] });
  await openSignature(bia, await mailedLink(product, 'bia@exemplo.com.br', 'para você assinar'));
  await fillPerson(bia);
  await chooseTyped(bia);
  await bia.context().setGeolocation(place);
  await pressSign(bia);
  await expect(bia.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
  return bia;
}

function textOf(pdf: Buffer): string {
  const path = join(folder, 'text.pdf');
  writeFileSync(path, pdf);
  return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });
}

test('a PDF that came with signatures: its creator is told, its signature page is a file of its own, and each signature’s document can be had', async ({
  page,
  browser,
}) => {
  const prior = await signedElsewhere();
  await send(page, 'aditivo.pdf', prior, /Este PDF já traz assinaturas, que continuam valendo/, 'apart');
  await page.getByRole('button', { name: /Detalhes de aditivo/ }).click();
  await expect(page.getByText('Já trazia assinaturas: a página de assinaturas vem em um arquivo separado.')).toBeVisible();
  await expectAccessible(page, 'apart-details');

  const bia = await signAsBia(browser);
  await bia.goto(await mailedLink(product, 'bia@exemplo.com.br', 'Assinado por todos'));
  await expect(bia.getByRole('button', { name: 'Baixar aditivo-pagina-de-assinaturas.pdf' })).toBeVisible();
  await expectAccessible(bia, 'apart-download');
  await bia.getByRole('checkbox', { name: /pagina-de-assinaturas/ }).check();
  const own = await saved(bia, 'Baixar selecionados');
  expect(own.name).toBe('aditivo-pagina-de-assinaturas.pdf');
  const text = textOf(own.bytes);
  expect(text).toContain('Assinado eletronicamente por Beatriz Conceição');
  const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? '';
  await bia.screenshot({ path: 'test-results/shots/apart-done.png' });

  await bia.goto(`${product.url}/validateLogin?docId=${id}`);
  await bia.getByLabel('E-mail de um signatário').fill('bia@exemplo.com.br');
  await bia.getByRole('button', { name: 'Conferir' }).click();
  await bia.waitForURL('**/validate');
  expect((await saved(bia, 'Baixar página de assinaturas')).bytes.equals(own.bytes)).toBe(true);
  expect((await saved(bia, 'Baixar como Rui de Antes assinou')).bytes.equals(prior)).toBe(true);
  const asBia = await saved(bia, 'Baixar como Beatriz Conceição assinou');
  expect(asBia.name).toBe('aditivo-como-beatriz-conceição-assinou.pdf');
  const whole = (await saved(bia, 'Baixar documento assinado')).bytes;
  expect(whole.subarray(0, asBia.bytes.length).equals(asBia.bytes)).toBe(true);
  expect(whole.length).toBeGreaterThan(asBia.bytes.length);
  for (const summary of await bia.locator('.later summary').all()) await summary.click();
  await expect(bia.getByText('Beatriz Conceição assinou').first()).toBeVisible();
  await expectAccessible(bia, 'apart-validate');
  await bia.context().close();
});

test('a visitor sees page by page what came after a signature, and takes the document as it was signed, without sending it anywhere', async ({
  page,
}) => {
  const signingTime = new Date();
  const box = { page: 1, rect: { x: 72, y: 200, width: 200, height: 60 } };
  const byAna = await appended(await makeContract('Contrato', 2), (pdf) =>
    signPdf(pdf, throwawaySigner('Ana'), { field: { name: 'ana' }, signingTime }),
  );
  const byBoth = await appended(byAna, (pdf) =>
    signPdf(pdf, throwawaySigner('Rui'), { field: { name: 'rui', at: box }, signingTime, appearance: { text: 'Rui' } }),
  );
  const [, second = ''] = [...byBoth.toString('latin1').matchAll(/\/Type \/Page\b[^>]*?\/Contents (\d+) 0 R/g)].map(([, num]) => num);
  const forged = edit(byBoth, Number(second), () => streamText('BT /F1 12 Tf 60 700 Td (Outro preco) Tj ET'));
  await page.goto(`${product.url}/validateLogin`);
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  const choose = async (buffer: Buffer) => {
    await page.getByLabel('Escolher arquivo PDF').setInputFiles({ name: 'contrato.pdf', mimeType: 'application/pdf', buffer });
    await expect(page.getByRole('heading', { name: 'contrato.pdf' })).toBeVisible();
  };
  await choose(byBoth);
  await page.getByText('O que veio depois: só o que esta assinatura permite').click();
  await expect(page.getByText('Página 1: Rui assinou')).toBeVisible();
  await expect(page.getByText('Nada mudou no documento desde esta assinatura.')).toBeVisible();
  await expect(page.getByText('Mudou depois desta assinatura')).toHaveCount(0);
  const asAna = await saved(page, 'Baixar como Ana assinou');
  expect([asAna.name, asAna.bytes.equals(byAna)]).toEqual(['contrato-como-ana-assinou.pdf', true]);
  await expectAccessible(page, 'after-permitted');
  await choose(Buffer.from(forged));
  await expect(page.getByText('Mudou depois desta assinatura, e ela não permite:')).toHaveCount(2);
  await expect(page.getByText('Página 2: conteúdo alterado')).toHaveCount(2);
  await expectAccessible(page, 'after-forbidden');
  expect((await saved(page, 'Baixar como Rui assinou')).bytes.equals(byBoth)).toBe(true);
  expect(sent).toEqual([]);
});

test('a PDF with open form fields: its creator is told that they are closed, before and after', async ({ page }) => {
  await send(page, 'ficha.pdf', await withOpenFields(), /campos de formulário abertos \(2\).*ficam fechados como estão/, 'closed');
  await page.getByRole('button', { name: /Detalhes de ficha/ }).click();
  await expect(page.getByText('2 campos de formulário que estavam abertos foram fechados como estavam.')).toBeVisible();
  await expectAccessible(page, 'closed-details');
});

test('each file says at the drop what it is: its pages, a standard that it keeps, a form, signatures that it has', async ({ page }) => {
  await signIn(product, page);
  const files: [string, Uint8Array][] = [
    ['arquivo.pdf', conformingPdf({ pdfA: { part: 2, level: 'B' } })],
    ['ficha.pdf', await withOpenFields()],
    ['aditivo.pdf', await signedElsewhere()],
  ];
  await page.setInputFiles(
    'input[type=file]',
    files.map(([name, bytes]) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) })),
  );
  await page.waitForURL('**/prepare');
  await expect(page.getByText(/^PDF\/A-2b · 1 página · /)).toBeVisible();
  await expect(page.getByText(/^PDF · 1 página · .* · formulário$/)).toBeVisible();
  await expect(page.getByText(/^PDF · 2 páginas · .* · já assinado: 1 assinatura$/)).toBeVisible();
});
