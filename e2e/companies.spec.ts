import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { creator, expectNoFaults, newPerson, registerFirstAccount, signIn, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

const bia = { email: 'bia@padaria.com.br' };

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

test('a company is created, its retention is set, and people are invited by a pasted list, each address judged by itself', async ({
  page,
}) => {
  await signIn(product, page);
  await makeCompany(page);
  await invite(page);
  await expectAccessible(page, 'company');
});

async function makeCompany(page: Page): Promise<void> {
  await page.goto(`${product.url}/account`);
  await page.getByRole('link', { name: 'Criar empresa' }).click();
  await expect(page.getByRole('heading', { name: 'Criar empresa' })).toBeVisible();
  await page.getByLabel('Nome', { exact: true }).fill('Padaria São Bento');
  await page.getByLabel('CNPJ').fill('12abc34501de36');
  await page.getByRole('button', { name: 'Criar empresa' }).click();
  await expect(page.getByText('Este CNPJ não existe.')).toBeVisible();
  await page.getByLabel('CNPJ').fill('12abc34501de35');
  await expect(page.getByLabel('CNPJ')).toHaveValue('12.ABC.345/01DE-35');
  await expectAccessible(page, 'company-new');
  await page.getByRole('button', { name: 'Criar empresa' }).click();
  await expect(page.getByRole('heading', { name: 'Padaria São Bento' })).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(`${creator.email}.*Administrador`) })).toBeVisible();
  await page.getByLabel('Máximo de dias de guarda').fill('0');
  await page.getByLabel('Tamanho máximo de documento').fill('20');
  const retention = page.getByRole('region', { name: 'Política de retenção' });
  await retention.getByRole('button', { name: 'Salvar' }).click();
  await expect(retention.getByText('Digite um número inteiro de 1 a')).toBeVisible();
  await page.getByLabel('Máximo de dias de guarda').fill('365');
  await retention.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Valores salvos com sucesso!').first()).toBeVisible();
}

async function invite(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('Adicione ao menos um email para enviar convite')).toBeVisible();
  await page.getByLabel('Emails', { exact: true }).fill(`Bia <${bia.email}>; dora@padaria.com.br, ana@gmail.com`);
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('não de um provedor gratuito')).toBeVisible();
  await expect(page.getByLabel('Emails', { exact: true })).toHaveValue('ana@gmail.com');
  await page.getByLabel('Emails', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('Convites enviados com sucesso').first()).toBeVisible();
  await expect(page.getByRole('cell', { name: 'dora@padaria.com.br', exact: true })).toBeVisible();
}
