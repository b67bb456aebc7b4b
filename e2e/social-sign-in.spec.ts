import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expectNoFaults, newPerson, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

/** Presses a provider's button; answers its window. */
async function openProvider(page: Page, name: string): Promise<Page> {
  await page.goto(`${product.url}/login`);
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: `Entrar com ${name}` }).click()]);
  await opened.getByText('Entrar como:').waitFor();
  return opened;
}

test('the first account comes through Google: asked for, in after a second, and then through gov.br, which confirms its CPF', async ({
  browser,
}) => {
  const ana = await newPerson(browser);
  const google = await openProvider(ana, 'Google');
  await expectAccessible(ana, 'social-waiting');
  expect(await google.evaluate(() => window.opener)).toBeNull();
  const closed = google.waitForEvent('close');
  await google.getByRole('button', { name: /Ana Beatriz Conceição/ }).click();
  await closed;
  const question = ana.getByRole('dialog', { name: 'Criar sua conta?' });
  await expect(question).toContainText('ana.conceicao@exemplo.com.br');
  await expectAccessible(ana, 'social-new-account');
  await question.getByRole('button', { name: 'Criar conta' }).click();
  await expect(ana.getByText('Entrada confirmada.')).toBeVisible();
  await ana.waitForURL('**/signature');
  await ana.goto(`${product.url}/logout`);
  await ana.getByRole('button', { name: 'Entrar', exact: true }).waitFor();

  const government = await openProvider(ana, 'gov.br');
  await government.getByRole('button', { name: /Ana Beatriz Conceição/ }).click();
  await ana.waitForURL('**/signature');
  // What a provider is called is never a link in a mail: its dot has a word joiner behind it.
  const subjects = async () => (await product.mails('ana.conceicao@exemplo.com.br')).map(({ subject }) => subject.replace('\u2060', ''));
  await expect.poll(subjects).toContain('Sua conta do Lavra agora também abre com gov.br');
  await ana.goto(`${product.url}/account/settings`);
  await expect(ana.getByLabel('CPF')).toHaveValue('***.982.247-**');
  await expect(ana.getByText(/Confirmado por gov\.br/)).toBeVisible();
  await ana.context().close();
});

test('a window that is closed is told of after the time of its button, and a refusal has its sentence', async ({ browser }) => {
  const dora = await newPerson(browser);
  const first = await openProvider(dora, 'Google');
  const shutAt = Date.now();
  await first.close();
  const warning = dora.getByText('A janela de entrada foi fechada antes do fim.');
  await expect(warning).toBeVisible();
  expect(Date.now() - shutAt).toBeGreaterThan(1400);
  await expectAccessible(dora, 'social-closed');
  const again = await openProvider(dora, 'Google');
  await again.getByRole('button', { name: /Dora Lima/ }).click();
  await expect(dora.getByText('O provedor não confirma que este e-mail é seu.')).toBeVisible();
  await dora.context().close();
});

test('where windows are blocked the whole page goes there and comes back to where one wanted to go', async ({ browser }) => {
  const carlos = await newPerson(browser);
  await carlos.addInitScript(() => {
    window.open = () => null;
  });
  await carlos.goto(`${product.url}/signature-model`);
  await carlos.getByRole('button', { name: 'Entrar com gov.br' }).click();
  await carlos.getByRole('button', { name: /Carlos Eduardo Nóbrega/ }).click();
  await carlos.getByRole('dialog', { name: 'Criar sua conta?' }).getByRole('button', { name: 'Criar conta' }).click();
  await carlos.waitForURL('**/signature-model');
  expect(await carlos.evaluate(() => window.location.search)).toBe('');
  await carlos.context().close();
});
