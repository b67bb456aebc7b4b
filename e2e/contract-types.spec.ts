import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { creator, expectNoFaults, newPerson, phone, registerFirstAccount, signIn, watchServer } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

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

test('an administrator makes, finds, changes and deletes contract types, wide and on a phone', async ({ page }) => {
  await signIn(product, page);
  await page.getByRole('link', { name: 'Tipos de contrato' }).click();
  await expect(page.getByRole('link', { name: 'Básico', exact: true })).toBeVisible();
  await makeType(page);
  await expectAccessible(page, 'contract-type-list');

  await page.getByRole('button', { name: 'Nome' }).click();
  await expect(page).toHaveURL(/\?page=1&sort=name%2Casc$/);
  await expect(page.getByRole('columnheader', { name: 'Nome' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('searchbox', { name: 'Buscar' }).fill('ÁGATA');
  await expect(page.getByText('1 a 1 de 1')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Plano agata', exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Buscar' }).fill('');

  // What is opened from the list leads back to the list as it was.
  await page.getByRole('link', { name: 'Plano agata', exact: true }).click();
  await expect(page.getByRole('definition').filter({ hasText: '2048' })).toBeVisible();
  await expectAccessible(page, 'contract-type-detail');
  await page.getByRole('link', { name: 'Editar' }).click();
  await expect(page.getByLabel('Id', { exact: true })).toHaveValue(/^\d$/);
  await page.getByLabel('Nome', { exact: true }).fill('Plano Ágata 2');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Alterações salvas.')).toBeVisible();
  await expect(page).toHaveURL(/sort=name%2Casc$/);

  await page.getByRole('link', { name: 'Excluir Básico' }).click();
  await page.getByRole('button', { name: 'Excluir', exact: true }).click();
  await expect(page.getByText('Este registro é o que vale quando nenhum outro é escolhido; ele não pode ser excluído.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await page.setViewportSize(phone);
  await page.getByRole('link', { name: 'Excluir Plano Ágata 2' }).click();
  await expect(page.getByText('Tem certeza de que quer excluir “Plano Ágata 2”?')).toBeVisible();
  await expectAccessible(page, 'contract-type-delete');
  await page.getByRole('button', { name: 'Excluir', exact: true }).click();
  await expect(page.getByText('Excluído.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Plano Ágata 2', exact: true })).toHaveCount(0);
});

async function makeType(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Novo tipo de contrato' }).click();
  const name = page.getByLabel('Nome', { exact: true });
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Dê um nome.')).toBeVisible();
  await expect(name).toBeFocused();
  await name.fill('basico');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.locator('.field', { has: name }).getByText('Esse nome já está em uso.')).toBeVisible();
  await name.fill('Plano agata');
  await page.getByLabel('Armazenamento (MB)').fill('2 GB');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Digite um número inteiro, só com algarismos')).toBeVisible();
  await expectAccessible(page, 'contract-type-form');
  await page.getByLabel('Armazenamento (MB)').fill('2048');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Criado com sucesso.')).toBeVisible();
}

test('a change that somebody else made meanwhile is not overwritten', async ({ page, browser }) => {
  await signIn(product, page);
  const other = await newPerson(browser);
  await signIn(product, other);
  for (const person of [page, other]) {
    await person.goto(`${product.url}/contract-type/1/edit`);
    await expect(person.getByLabel('Nome', { exact: true })).toHaveValue('Básico');
  }
  await other.getByLabel('Documentos').fill('10');
  await other.getByRole('button', { name: 'Salvar' }).click();
  await expect(other.getByText('Alterações salvas.')).toBeVisible();
  await page.getByLabel('Documentos').fill('20');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Outra pessoa alterou este registro depois que você o abriu, e nada foi salvo.')).toBeVisible();
  await page.getByRole('button', { name: 'Abrir de novo' }).click();
  await expect(page.getByLabel('Documentos')).toHaveValue('10');
  await other.context().close();
});

test('who is no administrator is told so, and finds no such entry in the menu', async ({ page }) => {
  await page.goto(`${product.url}/contract-type`);
  await expect(page).toHaveURL(/\/login$/);
  await page.goto(`${product.url}/account/register`);
  await page.getByLabel('Nome', { exact: true }).fill('Bia');
  await page.getByLabel('E-mail').fill('bia@exemplo.com.br');
  await page.getByLabel('Nova senha').fill(creator.password);
  await page.getByLabel('Repita a senha').fill(creator.password);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.goto(await mailedLink(product, 'bia@exemplo.com.br', 'conta'));
  await expect(page.getByText('Sua conta está ativa.')).toBeVisible();
  await page.goto(`${product.url}/login`);
  await page.getByLabel('E-mail').fill('bia@exemplo.com.br');
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/signature');
  await expect(page.getByRole('link', { name: 'Modelos de assinatura' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Tipos de contrato' })).toHaveCount(0);
  await page.goto(`${product.url}/contract-type`);
  await expect(page.getByText('Você não tem autorização para acessar esta página.')).toBeVisible();
});
