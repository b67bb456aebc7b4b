import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { creator, expectNoFaults, newPerson, registerFirstAccount, signIn, upload, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { makeContract } from './documents.ts';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await newPerson(browser);
  await registerFirstAccount(product, page);
  await page.context().close();
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

test('a process, its signer and its signature are made, changed and deleted as generic entities, at the specification’s addresses', async ({
  page,
}) => {
  await signIn(product, page);
  await upload(product, page, 'aluguel.pdf', await makeContract('Aluguel', 1));

  await page.goto(`${product.url}/entity`);
  await page.getByRole('link', { name: 'Processos de assinatura' }).click();
  await expect(page.getByText('Nenhum processo ainda.')).toBeVisible();
  await page.getByRole('link', { name: 'Novo processo de assinatura' }).click();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Preencha este campo.').first()).toBeVisible();
  await page.getByLabel('Modalidade').selectOption('Assinatura eletrônica (avançada)');
  await page.getByLabel('aluguel.pdf').check();
  await page.getByLabel('Título').fill('Aluguel da sala');
  const deadline = page.getByRole('group', { name: 'Prazo geral' }).last();
  await deadline.getByLabel('Data').fill('31122099');
  await deadline.getByLabel('Hora').fill('1200');
  await expectAccessible(page, 'entity-process-form');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Criado com sucesso.')).toBeVisible();
  await expect(page.getByText('1 a 1 de 1')).toBeVisible();
  await expectAccessible(page, 'entity-process-list');

  // The specification's own addresses lead to the same screens, and collide with nothing.
  await page.goto(`${product.url}/signer/new`);
  await page.getByLabel('Processo').selectOption('Aluguel da sala');
  await page.getByLabel('Nome', { exact: true }).fill('Bia Lima');
  await page.getByLabel('E-mail').fill('bia@exemplo.com.br');
  await page.getByLabel('Ordem').fill('0');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page).toHaveURL(/\/entity\/signer$/);

  await page.goto(`${product.url}/signature/new`);
  await page.getByLabel('Signatário').selectOption('Bia Lima');
  await page.getByLabel('Documento').selectOption('aluguel.pdf');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByRole('cell', { name: 'Enviado' })).toBeVisible();

  await page.getByRole('link', { name: 'Bia Lima', exact: true }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'Aluguel da sala' })).toBeVisible();
  await page.goto(`${product.url}/application-user`);
  await page.getByRole('link', { name: creator.email, exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Usuário da aplicação' })).toBeVisible();

  await page.goto(`${product.url}/signature-process`);
  await page.getByRole('link', { name: 'Excluir Aluguel da sala' }).click();
  await page.getByRole('button', { name: 'Excluir' }).click();
  await expect(page.getByText('Nenhum processo ainda.')).toBeVisible();
  await page.goto(`${product.url}/document`);
  await page.getByRole('link', { name: 'Excluir aluguel.pdf' }).click();
  await page.getByRole('button', { name: 'Excluir' }).click();
  await expect(page.getByText('Nenhum documento ainda.')).toBeVisible();
});
