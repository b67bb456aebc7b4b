import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { typeIntoCombobox } from './combobox.ts';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { buildForDevelopment, policyViolations, showDevelopment, watchPolicy } from './kit-page.ts';
import { addSigner, expectNoFaults, phone, registerFirstAccount, signIn, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
let development: string;
const served = join(import.meta.dirname, '../apps/web/dist');
let written: (string | number)[][];
test.beforeAll(async () => {
  written = await writtenAt();
  development = await buildForDevelopment();
  product = await startProduct();
});
test.afterAll(async () => {
  await product.stop();
  await rm(development, { recursive: true, force: true });
});
test.beforeEach(({ page }) => {
  watchServer(page);
  watchPolicy(page);
});
test.afterEach(async () => {
  await expectNoFaults();
  expect(policyViolations()).toEqual([]);
});

/** Every file that the pages are served from, and when it was written. */
async function writtenAt(): Promise<(string | number)[][]> {
  const files = await readdir(served, { recursive: true });
  return Promise.all(files.map(async (file) => [file, (await stat(join(served, file))).mtimeMs]));
}

test('a build for development touches nothing of what is served meanwhile', async () => {
  expect(await writtenAt()).toEqual(written);
});

async function openKit(page: Page, frame = 'list'): Promise<void> {
  await showDevelopment(page, development);
  await page.goto(`${product.url}/dev/kit?frame=${frame}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Peças' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Cidade' })).toBeEnabled();
}

/** Time passes by the test's word alone, however slow the machine. */
async function openWithStoppedClock(page: Page): Promise<void> {
  await page.clock.install({ time: '2026-12-01T12:00:00Z' });
  await openKit(page);
  await page.clock.pauseAt('2026-12-01T13:00:00Z');
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

for (const [locale, title] of [
  ['pt-br', 'Peças'],
  ['en', 'Parts'],
  ['es', 'Piezas'],
] as const) {
  test(`every part of the pages is accessible in ${locale}, in both themes, wide and at 360 px`, async ({ page }) => {
    await openKit(page);
    await page.locator('header select').selectOption(locale);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.locator('.loading .spinner')).toBeVisible();
    await expectAccessible(page, `kit-${locale}`);
  });
}

test('a form and a workspace stand on the same grid as a list: their left edges are one', async ({ page }) => {
  const edges: number[] = [];
  for (const frame of ['list', 'form'] as const) {
    await openKit(page, frame);
    edges.push((await page.getByRole('heading', { level: 1 }).boundingBox())?.x ?? -1);
    edges.push((await page.getByRole('link', { name: 'Lavra, página inicial' }).boundingBox())?.x ?? -1);
  }
  await openKit(page, 'workspace');
  edges.push((await page.getByRole('heading', { level: 1 }).boundingBox())?.x ?? -1);
  expect(new Set(edges.slice(0, 4)).size).toBe(1);
});

test('a dialog keeps the focus, answers Escape and gives the focus back; on a phone it is a sheet at the lower edge', async ({ page }) => {
  await openKit(page);
  const opener = page.getByRole('button', { name: 'Abrir o diálogo' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remover o documento?' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'kit-dialog');
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null || document.activeElement === document.body)).toBe(
      true,
    );
  }
  await page.setViewportSize(phone);
  const box = await dialog.boundingBox();
  expect(box).toMatchObject({ x: 0, width: phone.width });
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(phone.height);
  // A calendar opens within: what is outside of a dialog cannot be reached.
  await dialog.getByRole('button', { name: 'Abrir calendário (Prazo 2)' }).press('Enter');
  await page.locator('.calendar-day[data-selected]').press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(dialog.getByPlaceholder('DD/MM/AAAA')).toHaveValue('25/12/2026');
  await page.keyboard.press('Escape');
  await expect(page.locator('.calendar')).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});

test('what was removed by keys comes back by the next key, for at least ten seconds, and as long as somebody is there', async ({
  page,
}) => {
  await openWithStoppedClock(page);
  const remove = page.getByRole('button', { name: 'Remover e avisar' });
  const undo = page.getByRole('button', { name: 'Desfazer' });
  await remove.focus();
  await page.keyboard.press('Enter');
  await expect(undo).toBeFocused();
  await expect(page.locator('[role=status]', { hasText: 'Contrato.pdf saiu da lista. Pressione F6' })).toBeAttached();
  // The focus holds it.
  await page.clock.runFor(60_000);
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Contrato.pdf', { exact: true })).toBeVisible();
  await expect(undo).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  // With the pointer nobody is there until it is over it.
  await remove.click();
  await page.clock.runFor(9_900);
  await expect(undo).toBeVisible();
  await undo.hover();
  await page.clock.runFor(60_000);
  await expect(undo).toBeVisible();
  await page.mouse.move(2, 2);
  await page.clock.runFor(9_900);
  await expect(undo).toBeVisible();
  await page.clock.runFor(100);
  await expect(undo).toBeHidden();
});

test('F6 goes to the latest message and back to where one was, Escape puts it away', async ({ page }) => {
  await openWithStoppedClock(page);
  const name = page.getByLabel('Nome', { exact: true });
  await page.getByRole('button', { name: 'Avisar', exact: true }).click();
  await name.focus();
  await page.keyboard.press('F6');
  await expect(page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Fechar' })).toBeFocused();
  await page.keyboard.press('F6');
  await expect(name).toBeFocused();
  await page.keyboard.press('F6');
  await page.keyboard.press('Escape');
  await expect(name).toBeFocused();
  await expect(page.locator('.toast')).toHaveCount(0);
});

test('masks take what is pasted and put the signs where they belong', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openKit(page);
  const paste = async (label: string, text: string) => {
    await page.evaluate((words) => navigator.clipboard.writeText(words), text);
    await page.getByLabel(label, { exact: true }).fill('');
    await page.getByLabel(label, { exact: true }).press('Control+v');
  };
  await paste('CPF', ' 52998224725 ');
  await expect(page.getByLabel('CPF', { exact: true })).toHaveValue('529.982.247-25');
  await paste('Data', '31122026');
  await expect(page.getByLabel('Data', { exact: true })).toHaveValue('31/12/2026');
  await paste('Hora', '0915');
  await expect(page.getByLabel('Hora', { exact: true })).toHaveValue('09:15');
  await expect(page.getByTestId('instant')).toHaveText('2026-12-31T12:15:00.000Z');
});

test('day and time are chosen from a calendar by keys alone, DD/MM/YYYY and 24 hours', async ({ page }) => {
  await openKit(page);
  const button = page.getByRole('button', { name: 'Abrir calendário (Prazo)' });
  await button.focus();
  await page.keyboard.press('Enter');
  const calendar = page.getByRole('dialog', { name: 'Abrir calendário (Prazo)' });
  await expect(calendar.getByText('dezembro de 2026').first()).toBeVisible();
  await expect.poll(() => focused(page)).toBe('24');
  await expectAccessible(page, 'kit-calendar');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Data', { exact: true })).toHaveValue('25/12/2026');
  await page.keyboard.press('Tab');
  const hours = calendar.getByRole('spinbutton').first();
  await expect(hours).toBeFocused();
  await page.keyboard.type('23');
  await expect(page.getByPlaceholder('HH:mm')).toHaveValue('23:30');
  await page.keyboard.press('Escape');
  await expect(calendar).toBeHidden();
  await expect(button).toBeFocused();
  await expect(page.getByTestId('instant')).toHaveText('2026-12-26T02:30:00.000Z');
});

test('a day before the first possible one cannot be chosen, and the calendar speaks the language of the page', async ({ page }) => {
  await openKit(page);
  for (const [locale, month, next] of [
    ['en', 'December 2026', 'Next'],
    ['es', 'diciembre de 2026', 'Siguiente'],
    ['pt-br', 'dezembro de 2026', 'Próximo'],
  ] as const) {
    await page.locator('header select').selectOption(locale);
    await page.locator('.date-field .icon-button').click();
    const calendar = page.locator('.calendar');
    await expect(calendar.getByText(month).first()).toBeVisible();
    await expect(calendar.getByRole('button', { name: next, exact: true }).first()).toBeVisible();
    await expect(calendar.locator('.calendar-day', { hasText: /^9$/ })).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
  }
});

test('a menu opens by the arrow, is searched by letters, acts by Enter and gives the focus back', async ({ page }) => {
  await openKit(page);
  const button = page.locator('section').getByRole('button', { name: 'Ações', exact: true });
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Editar' })).toBeFocused();
  await expectAccessible(page, 'kit-menu');
  await page.keyboard.press('c');
  await expect(page.getByRole('menuitem', { name: 'Copiar' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Última ação: Copiar')).toBeVisible();
  await expect(button).toBeFocused();
  await button.click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(button).toBeFocused();
});

test('one of many is found by a part of its name without its accent; what is none of them gives way to what was chosen', async ({
  page,
}) => {
  await openKit(page);
  const city = page.getByRole('combobox', { name: 'Cidade' });
  await expect(city).toHaveValue('Brasília');
  await typeIntoCombobox(city, 'maceio');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Maceió']);
  await page.screenshot({ path: 'test-results/shots/kit-combobox.png' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(city).toHaveValue('Maceió');
  await city.fill('xyz');
  await expect(page.getByText('Nada encontrado')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByLabel('CPF', { exact: true }).focus();
  await expect(city).toHaveValue('Maceió');
});

test('a table is cards on a phone: its name first, its acts last, nothing wider than the screen', async ({ page }) => {
  await openKit(page);
  const rows = page.getByRole('table', { name: 'Pessoas' }).locator('tbody tr');
  await page.getByRole('button', { name: 'Nome' }).click();
  await expect(rows.first()).toContainText('Ana Prado');
  await page.setViewportSize(phone);
  const tops = await rows
    .first()
    .evaluate((row) => [...row.children].map((cell) => [cell.className, cell.getBoundingClientRect().top] as const));
  const order = tops.toSorted((a, b) => a[1] - b[1]).map(([name]) => name);
  expect(order[0]).toContain('card-heading');
  expect(order.at(-1)).toContain('row-actions');
});

test('a refused form puts the focus on the first fault, and says it beside the field', async ({ page }) => {
  await openKit(page);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByLabel('E-mail', { exact: true })).toBeFocused();
  await expect(page.getByLabel('E-mail', { exact: true })).toHaveAttribute('aria-invalid', 'true');
});

test('what is built for use has no page of parts, and its first page fetches nothing of React Aria', async ({ page }) => {
  const assets = 'apps/web/dist/assets';
  const files = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const texts = new Map(await Promise.all(files.map(async (name) => [name, await readFile(join(assets, name), 'utf8')] as const)));
  expect([...texts.values()].some((text) => text.includes('kit-states'))).toBe(false);
  const ofAria = [...texts].filter(([, text]) => text.includes('data-rac')).map(([name]) => name);
  expect(ofAria.length).toBeGreaterThan(0);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url().split('/').at(-1) ?? ''));
  await page.goto(`${product.url}/dev/kit`);
  await expect(page.getByText('A página não existe.')).toBeVisible();
  await page.goto(`${product.url}/login`);
  await page.waitForLoadState('networkidle');
  expect(fetched.filter((name) => ofAria.includes(name))).toEqual([]);
});

test('who is signed in is named in the header; in a draft the deadline comes from the calendar, and what was taken off comes back, under the policy of the product', async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await registerFirstAccount(product, page);
  await signIn(product, page);
  await expect(page.getByRole('button', { name: 'Assinar um exemplo' })).toBeVisible();
  expect(fetched.filter((url) => /aria-locale|menu-list/.test(url))).toEqual([]);
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Ana: sua conta (ana@exemplo.com.br)' }).click();
  await expect(page.getByRole('menuitem', { name: 'Mudar senha' })).toBeVisible();
  await expectAccessible(page, 'account-menu');
  await page.getByRole('menuitem', { name: 'Mudar senha' }).click();
  await page.waitForURL('**/account/password');
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`${product.url}/signature`);
  await page.setInputFiles('input[type=file]', {
    name: 'Acordo.pdf',
    mimeType: 'application/pdf',
    buffer: await makeContract('Acordo', 1),
  });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Bia Souza', 'bia@exemplo.com.br');
  await addSigner(page, 'Caio Lima', 'caio@exemplo.com.br');

  const remove = page.getByRole('button', { name: 'Remover Bia Souza' });
  await remove.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('cell', { name: 'bia@exemplo.com.br' })).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.locator('tbody tr').first()).toContainText('bia@exemplo.com.br');

  await page.getByRole('button', { name: 'Remover Acordo.pdf' }).click();
  await expect(page.getByText('Fora da lista: Acordo.pdf.', { exact: true })).toBeVisible();
  await page.screenshot({ path: 'test-results/shots/toast.png' });
  await page.getByRole('button', { name: 'Desfazer' }).click();
  await expect(page.getByRole('button', { name: 'Remover Acordo.pdf' })).toBeVisible();

  await page.getByRole('switch', { name: 'Prazo geral' }).check();
  expect(fetched.filter((url) => url.includes('date-time-calendar'))).toEqual([]);
  await page.getByRole('button', { name: 'Abrir calendário' }).click();
  await page.locator('.calendar-day[data-selected]').press('PageDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Concluir' }).click();
  const chosen = await page.getByLabel('Data', { exact: true }).inputValue();
  expect(chosen).toMatch(/^\d{2}\/\d{2}\/\d{4}$/);
  await page.reload();
  await expect(page.getByLabel('Data', { exact: true })).toHaveValue(chosen);
});
