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

test('a process made on these screens goes out when its maker sends it, and not by itself; what is refused is told', async ({ page }) => {
  await signIn(product, page);
  await upload(product, page, 'venda.pdf', await makeContract('Venda', 1));
  await page.goto(`${product.url}/entity/signature-process/new`);
  await page.getByLabel('Modalidade').selectOption('Assinatura eletrônica (avançada)');
  await page.getByLabel('venda.pdf').check();
  await page.getByLabel('Título').fill('Venda do carro');
  const deadline = page.getByRole('group', { name: 'Prazo geral' }).last();
  await deadline.getByLabel('Data').fill('01012020');
  await deadline.getByLabel('Hora').fill('1200');
  const save = page.getByRole('button', { name: 'Salvar' });
  await save.click();
  await expect(deadline.getByText('O prazo precisa ser a partir de amanhã.')).toBeVisible();
  await deadline.getByLabel('Data').fill('31122099');
  const made = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/signature-processes'));
  await save.click();
  expect((await made).postDataJSON()).toMatchObject({ title: 'Venda do carro', awaitsStart: true });
  await page.getByRole('link', { name: 'Venda do carro', exact: true }).click();
  await expect(page.getByText('Ainda não foi enviado a ninguém')).toBeVisible();
  await expectAccessible(page, 'entity-process-draft');

  const send = page.getByRole('button', { name: 'Enviar para assinatura' });
  const question = page.getByRole('dialog');
  await send.click();
  await question.getByRole('button', { name: 'Enviar para assinatura' }).click();
  await expect(question.getByText('Inclua ao menos uma pessoa para assinar.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(send).toBeFocused();

  for (const [name, order] of [
    ['Bia Lima', '0'],
    ['Caio Reis', '1'],
  ] as const) {
    await page.goto(`${product.url}/entity/signer/new`);
    await page.getByLabel('Processo').selectOption('Venda do carro');
    await page.getByLabel('Nome', { exact: true }).fill(name);
    await page.getByLabel('E-mail').fill(`${name.slice(0, 3).toLowerCase()}@exemplo.com.br`);
    await page.getByLabel('Ordem').fill(order);
    await save.click();
    await expect(page).toHaveURL(/\/entity\/signer$/);
  }
  await page.goto(`${product.url}/entity/signature-process`);
  await page.getByRole('link', { name: 'Venda do carro', exact: true }).click();
  await send.press('Enter');
  await expectAccessible(page, 'entity-process-send');
  await question.getByRole('button', { name: 'Enviar para assinatura' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Avisos' }).getByText('Processo enviado.')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Em Curso' })).toBeVisible();
  await expect(send).toBeHidden();
  await expect(page.getByRole('link', { name: 'Editar' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByRole('link', { name: 'Voltar' }).click();
  await expect(page.getByRole('row', { name: /Venda do carro/ })).toContainText('Em Curso');
});
