import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { addSigner, coverBy, expectNoFaults, newPerson, registerFirstAccount, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());
test.afterEach(expectNoFaults);

test('whoever creates a process is warned near the end of the contract’s signatures, and told when there are none left', async ({
  browser,
}) => {
  const page = await newPerson(browser);
  watchServer(page);
  await registerFirstAccount(product, page);
  await page.goto(`${product.url}/signature`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await coverBy(page, { eletronicSignatures: '3' });

  await toConfirmation(page, 'Primeiro', [
    ['Bia Lima', 'bia@exemplo.com.br'],
    ['Caio Reis', 'caio@exemplo.com.br'],
  ]);
  await create(page);
  // What is sent is offered as begun to nobody, not even to who reloads the page while they are told.
  await page.reload();
  await page.waitForURL('**/signature');
  await expect(page.getByText('Primeiro', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Continue de onde parou' })).toHaveCount(0);

  await toConfirmation(page, 'Segundo', [['Bia Lima', 'bia@exemplo.com.br']]);
  await create(page);
  const alert = page.getByRole('dialog', { name: 'Uso do contrato' });
  await expect(alert.getByText('Não resta nenhuma assinatura eletrônica no contrato (limite: 3,')).toBeVisible();
  await expectAccessible(page, 'usage-alert');
  await alert.getByRole('button', { name: 'Entendi' }).click();
  await page.waitForURL('**/signature');

  await toConfirmation(page, 'Terceiro', [['Bia Lima', 'bia@exemplo.com.br']]);
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await expect(page.getByText(/Erro ao criar o processo.*O limite de assinaturas eletrônicas do contrato/)).toBeVisible();
  await expectAccessible(page, 'usage-refused');
  await page.goto(`${product.url}/signature`);
  await expect(page.getByRole('button', { name: 'Descartar o rascunho Terceiro' })).toBeVisible();
});

async function toConfirmation(page: Page, title: string, signers: [string, string][]): Promise<void> {
  await page.setInputFiles('input[type=file]', { name: `${title}.pdf`, mimeType: 'application/pdf', buffer: await makeContract(title, 1) });
  await page.waitForURL('**/prepare');
  for (const [name, email] of signers) await addSigner(page, name, email);
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
}

/** The success popup stays for two seconds only: it is waited for while the button is still being pressed. */
async function create(page: Page): Promise<void> {
  await Promise.all([
    expect(page.getByRole('heading', { name: 'Processo criado' })).toBeVisible({ timeout: 30_000 }),
    page.getByRole('button', { name: /^Enviar para/ }).click(),
  ]);
}
