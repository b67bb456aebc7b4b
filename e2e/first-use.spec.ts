import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { chooseTyped, expectNoFaults, fillPerson, pressSign, sendPlainProcess, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

test('whoever comes first registers where others sign in, signs an example at once, and finds what to set up', async ({ page }) => {
  await page.goto(`${product.url}/login`);
  await expect(page.getByRole('heading', { name: 'Boas-vindas ao Lavra' })).toBeVisible();
  await page.getByLabel('Nome', { exact: true }).fill('Ana Beatriz Conceição Jr.');
  await page.getByLabel('E-mail').fill('ana@exemplo.com.br');
  await page.getByLabel('Nova senha').fill('Segredo123');
  await page.getByLabel('Repita a senha').fill('Segredo123');
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await expect(page.getByText('Conta criada.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ana: sua conta (ana@exemplo.com.br)' })).toBeVisible();

  await test.step('a real process, which they sign themselves', async () => {
    await expect(page.getByRole('heading', { name: 'Seu primeiro documento em três passos' })).toBeVisible();
    await page.getByRole('button', { name: 'Assinar um exemplo' }).click();
    await page.waitForURL('**/signer/**', { timeout: 60_000 });
    await expect(page.getByText('Pedido por Ana Beatriz Conceição Jr.')).toBeVisible();
    await fillPerson(page);
    await chooseTyped(page);
    await pressSign(page);
    await page.getByRole('button', { name: 'Assinar sem localização' }).click();
    await expect(page.getByText('Você assinou em')).toBeVisible({ timeout: 60_000 });
  });

  await test.step('it stands in the list, and the steps are gone', async () => {
    await page.goto(`${product.url}/signature`);
    await expect(page.getByRole('link', { name: 'Documento de exemplo' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Seu primeiro documento em três passos' })).toBeHidden();
  });

  await test.step('the administration begins with what is left to set up', async () => {
    await page.goto(`${product.url}/admin`);
    const list = page.getByRole('region', { name: 'O que configurar, em ordem' });
    await expect(list.getByRole('listitem').filter({ hasText: 'E-mail' }).getByText('Falta')).toBeVisible();
    await expectAccessible(page, 'admin-start');
    await list.getByRole('link', { name: 'E-mail' }).click();
    await page.getByRole('button', { name: 'Enviar e-mail de teste' }).click();
    await expect(page.getByText('O servidor aceitou a mensagem')).toBeVisible();
    await page.goto(`${product.url}/admin`);
    await expect(list.getByRole('listitem').filter({ hasText: 'E-mail' }).getByText('Pronto')).toBeVisible();
  });

  await test.step('who sends is told to whom, and what comes next, until they put it away', async () => {
    await page.goto(`${product.url}/signature`);
    await expect(page.getByRole('link', { name: 'Documento de exemplo' })).toBeVisible();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/buildProcessesInfos*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await sendPlainProcess(page, 'Recibo', [
      ['Carla Dias', 'carla@exemplo.com.br'],
      ['Davi Reis', 'davi@exemplo.com.br'],
    ]);
    // A list from before, which has no such process, is not shown while the new one is on its way.
    await expect(page.getByRole('link', { name: 'Documento de exemplo' })).toBeHidden();
    held.resolve();
    await expect(page.getByRole('link', { name: 'Recibo' }).first()).toBeVisible();
    const sent = page.getByRole('region', { name: 'Enviado para Carla Dias' });
    await expect(sent.getByText('Depois é a vez de Davi Reis.')).toBeVisible();
    await expectAccessible(page, 'sent');
    await sent.getByRole('button', { name: 'Fechar' }).click();
    await expect(sent).toBeHidden();
  });
});
