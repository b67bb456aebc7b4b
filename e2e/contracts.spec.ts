import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { addSigner, creator, expectNoFaults, newPerson, registerFirstAccount, signIn, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

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

test('an administrator makes a contract, says whose it is, stops it, and deletes it; while it is suspended nobody whom it covers creates', async ({
  page,
}) => {
  await signIn(product, page);
  await page.getByRole('link', { name: 'Contratos', exact: true }).click();
  await expect(page.getByText('Nenhum contrato encontrado.')).toBeVisible();
  await makeContractOf(page);
  await expectAccessible(page, 'contract-list');

  // Its number opens it, as it was kept.
  await page.getByRole('link', { name: '1', exact: true }).click();
  await expect(page.getByLabel('Id', { exact: true })).toHaveValue('1');
  await expect(page.getByLabel('Data')).toHaveValue('31/12/2099');
  await expect(page.getByLabel('Forma de pagamento')).toHaveValue('2');
  await expect(page.getByText('Ao salvar, os contadores voltam a zero.')).toBeVisible();
  await page.getByLabel('Suspenso').check();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Alterações salvas.')).toBeVisible();
  await expect(page.getByText('suspenso', { exact: true })).toBeVisible();

  await refusedCreation(page);

  await page.goto(`${product.url}/contract/1/delete`);
  await expect(page.getByText('Tem certeza de que quer excluir o contrato 1?')).toBeVisible();
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect(page).toHaveURL(/\/contract$/);
  await page.getByRole('link', { name: 'Excluir 1' }).click();
  await page.getByRole('button', { name: 'Excluir', exact: true }).click();
  await expect(page.getByText('Nenhum contrato encontrado.')).toBeVisible();
});

/** The picker begins now, by day and hour; what is wrong stands beside its field. */
async function makeContractOf(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Criar novo contrato' }).click();
  const day = page.getByLabel('Data');
  await expect(day).toHaveValue(/^\d{2}\/\d{2}\/\d{4}$/);
  await expect(page.getByLabel('Hora')).toHaveValue(/^([01]\d|2[0-3]):[0-5]\d$/);
  await expect(page.getByLabel('Forma de pagamento').getByRole('option')).toHaveText(['Mensal', 'Anual']);
  await expect(page.getByLabel('Tipo de contrato').getByRole('option')).toHaveText(['', 'Básico']);
  await day.fill('31/02/2099');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Digite uma data (DD/MM/AAAA) e uma hora (HH:mm) válidas.')).toBeVisible();
  await day.fill('31/12/2099');
  await page.getByLabel('Forma de pagamento').selectOption('Anual');
  await page.getByLabel('Tempo de guarda dos arquivos').fill('0');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Digite um número inteiro de 1 a 36500.')).toBeVisible();
  await page.getByLabel('Tempo de guarda dos arquivos').fill('365');
  const person = page.getByLabel('Pessoa (e-mail da conta)');
  await person.fill('ninguem@exemplo.com.br');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Escolha uma pessoa que tenha conta aqui.')).toBeVisible();
  await expect(person).toBeFocused();
  await expectAccessible(page, 'contract-form');
  await person.fill(creator.email);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Criado com sucesso.')).toBeVisible();
  await expect(page.getByRole('cell', { name: '31/12/99' })).toBeVisible();
  await expect(page.getByRole('cell', { name: '365 dias' })).toBeVisible();
  await expect(page.getByRole('link', { name: creator.email })).toHaveAttribute('href', /^\/application-user\/[0-9a-f-]{36}$/);
}

async function refusedCreation(page: Page): Promise<void> {
  await page.goto(`${product.url}/signature`);
  await page.setInputFiles('input[type=file]', {
    name: 'acordo.pdf',
    mimeType: 'application/pdf',
    buffer: await makeContract('Acordo', 1),
  });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Bia Lima', 'bia@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await expect(page.getByText('Erro ao criar o processo', { exact: true })).toBeVisible();
  await expect(page.getByText('O contrato da sua empresa está suspenso.')).toBeVisible();
}
