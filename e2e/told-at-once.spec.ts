import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import {
  chooseTyped,
  createPlainProcess,
  expectNoFaults,
  fillPerson,
  newPerson,
  openSignature,
  place,
  pressSign,
  registerFirstAccount,
  watchServer,
} from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

let product: Product;
test.beforeEach(async ({ page }) => {
  watchServer(page);
  product = await startProduct();
});
test.afterEach(async () => {
  try {
    await expectNoFaults();
  } finally {
    await product.stop();
  }
});

/** No page looks by itself any more: whatever it would do every three seconds, or less often, is never done. */
const withoutPolling = (context: BrowserContext) =>
  context.addInitScript(() => {
    const usual = window.setInterval;
    Object.assign(window, { setInterval: (act: () => void, ms = 0) => (ms >= 1500 ? 0 : usual(act, ms)) });
  });
/** Who looks by itself does it ten times as often. */
const withQuickPolling = (context: BrowserContext) =>
  context.addInitScript(() => {
    const usual = window.setInterval;
    Object.assign(window, { setInterval: (act: () => void, ms = 0) => usual(act, ms / 10) });
  });
const withoutEvents = (context: BrowserContext) => context.route('**/changes', (route) => route.abort());

async function send(page: Page, title: string): Promise<void> {
  await createPlainProcess(product, page, title, [
    ['Bia Lima', 'bia@exemplo.com.br'],
    ['Caio Reis', 'caio@exemplo.com.br'],
  ]);
  await page.getByRole('link', { name: title }).first().click();
  await expect(page.getByText('0 de 2 assinaram')).toBeVisible();
}

async function open(browser: Browser, email: string, hold: (context: BrowserContext) => Promise<unknown>): Promise<Page> {
  const person = await newPerson(browser, { geolocation: place, permissions: ['geolocation'] });
  await hold(person.context());
  await openSignature(person, await mailedLink(product, email, 'para você assinar'));
  return person;
}

async function sign(person: Page, cpf?: string): Promise<void> {
  await fillPerson(person, cpf);
  await chooseTyped(person);
  await pressSign(person);
  await expect(person.getByText('Assinatura concluída')).toBeVisible({ timeout: 30_000 });
}

for (const [name, hold] of [
  ['the server tells, where no page looks by itself', withoutPolling],
  ['pages look by themselves, where the server cannot tell', withoutEvents],
] as const)
  test(`${name}: who signs sees it done, who signed sees the end, and who sent it sees both`, async ({ page, browser }) => {
    test.slow();
    await registerFirstAccount(product, page);
    await hold(page.context());
    await send(page, 'Aditivo');
    const bia = await open(browser, 'bia@exemplo.com.br', hold);
    await sign(bia);
    await expect(page.getByText('1 de 2 assinaram').first()).toBeVisible({ timeout: 60_000 });
    const caio = await open(browser, 'caio@exemplo.com.br', hold);
    await sign(caio, '11144477735');
    await expect(bia.getByText('Todas as pessoas já assinaram')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('2 de 2 assinaram').first()).toBeVisible({ timeout: 60_000 });
    for (const person of [bia, caio]) await person.context().close();
  });

test('a page whose people were read before the end and whose story was read after it reads its people again', async ({ page, browser }) => {
  test.slow();
  await registerFirstAccount(product, page);
  await withoutEvents(page.context());
  await withQuickPolling(page.context());
  await createPlainProcess(product, page, 'Aditivo', [['Bia Lima', 'bia@exemplo.com.br']]);
  await page.getByRole('link', { name: 'Aditivo' }).first().click();
  await expect(page.getByText('0 de 1 assinou')).toBeVisible();

  const read = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  await page.route('**/buildSubDataProcesses/*', async (route) => {
    const response = await route.fetch();
    read.resolve();
    await ended.promise;
    await route.fulfill({ response });
  });
  await read.promise;
  const bia = await open(browser, 'bia@exemplo.com.br', withoutEvents);
  await sign(bia);
  await expect(page.getByText('Finalizado')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('0 de 1 assinou')).toBeVisible();
  ended.resolve();
  await expect(page.getByText('1 de 1 assinou').first()).toBeVisible({ timeout: 60_000 });
  await bia.context().close();
});
