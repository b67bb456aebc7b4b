import { expect, type Page, test } from '@playwright/test';
import { typeIntoCombobox } from './combobox.ts';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { addSigner, expectNoFaults, newPerson, registerFirstAccount, signIn, submitCreation, watchServer } from './people.ts';
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

test('a signature model is made, changed, chosen for a digital process, and kept while that is in progress', async ({ page }) => {
  await signIn(product, page);
  await page.getByRole('link', { name: 'Modelos de assinatura' }).click();
  await expect(page.getByText('Você ainda não tem modelos.')).toBeVisible();
  await readPreview(page);
  await makeModel(page);
  await renameModel(page);
  await chooseForProcess(page);
  await page.getByRole('link', { name: 'Modelos de assinatura' }).click();
  await page.getByRole('link', { name: 'Excluir Diretoria' }).click();
  await page.getByRole('button', { name: 'Excluir', exact: true }).click();
  await expect(page.getByText('Ele está sendo usado em um processo de assinatura, finalize o processo e tente novamente.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('link', { name: 'Excluir Só texto' }).click();
  await page.getByRole('button', { name: 'Excluir', exact: true }).click();
  await expect(page.getByText('Excluído.')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
  // A search that finds nothing does not look like an empty list, and is cleared where that is said.
  await page.getByRole('searchbox', { name: 'Buscar' }).fill('nenhum destes');
  await page.getByRole('button', { name: 'Limpar a busca' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  // What they are for is said beside a full list too.
  await expect(page.getByText('O texto, a letra e o tamanho das assinaturas digitais (ICP-Brasil)')).toBeVisible();
});

/** The smallest letters of a preview can be read where there is room, and its size is said. */
async function readPreview(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Novo modelo' }).click();
  await expect(page.getByText('Mostrada a 200% do tamanho.')).toBeVisible();
  const text = page.getByRole('img', { name: /Prévia/ }).getByText('Assinado digitalmente por:');
  expect((await text.boundingBox())?.height).toBeGreaterThan(12);
  await page.getByRole('link', { name: 'Cancelar' }).click();
}

async function makeModel(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Novo modelo' }).click();
  const name = page.getByLabel('Nome', { exact: true }).first();
  await expect(name).toHaveValue('Meu modelo');
  await name.fill('  ');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Dê um nome ao modelo.')).toBeVisible();
  await expect(name).toBeFocused();
  await name.fill('Contratos');
  const width = page.getByLabel('Largura (pt)');
  await width.fill('2a0');
  await expect(width).toHaveValue('20');
  await width.blur();
  await expect(width).toHaveValue('100');
  await width.fill('260');
  await page.getByLabel('Altura (pt)').fill('120');
  await page.getByLabel('Posição da imagem').selectOption('À direita do texto');
  await page.getByLabel('Letra', { exact: true }).selectOption('Times (com serifa)');
  await page.getByLabel('Texto', { exact: true }).fill('De acordo:');
  await page.getByLabel('Tamanho da letra (pt)').fill('11');
  await expect(page.getByRole('img', { name: /Prévia/ }).getByText('De acordo:')).toBeVisible();
  await expectAccessible(page, 'model-editor');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Criado com sucesso.')).toBeVisible();

  await page.getByRole('link', { name: 'Novo modelo' }).click();
  await name.fill('CONTRATOS');
  await page.getByRole('radio', { name: 'Somente texto' }).check();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Nome do modelo já existe - Escolha outro nome')).toBeVisible();
  await name.fill('Só texto');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expectAccessible(page, 'model-list');
}

async function renameModel(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Editar Contratos' }).click();
  await expect(page.getByRole('heading', { name: 'Editar modelo de assinatura' })).toBeVisible();
  await expect(page.getByLabel('Altura (pt)')).toHaveValue('120');
  await expect(page.getByLabel('Texto', { exact: true })).toHaveValue('De acordo:');
  await page.getByLabel('Nome', { exact: true }).first().fill('Diretoria');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('searchbox', { name: 'Buscar' }).fill('DIRETÓRIA');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('cell', { name: 'Diretoria', exact: true })).toBeVisible();
}

async function chooseForProcess(page: Page): Promise<void> {
  await page.goto(`${product.url}/signature`);
  await page.setInputFiles('input[type=file]', { name: 'termo.pdf', mimeType: 'application/pdf', buffer: await makeContract('Termo', 1) });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Beatriz Lima', 'beatriz@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura digital \(ICP-Brasil\)/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento' }).first().check();
  const box = page.locator('.box-placing');
  const start = page.getByRole('button', { name: /^Iniciar/ });
  await start.click();
  await expect(box).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1/1', { exact: true })).toBeVisible();
  await typeIntoCombobox(page.getByRole('combobox', { name: 'Modelo da assinatura' }), 'diret');
  await page.getByRole('option', { name: 'Diretoria' }).click();
  // A box of another size is placed again.
  await expect(page.getByText('0/1', { exact: true })).toBeVisible();
  await start.click();
  await expect(box.getByText('De acordo:')).toBeVisible();
  const frame = await box.boundingBox();
  expect((frame?.width ?? 0) / (frame?.height ?? 1)).toBeCloseTo(260 / 120, 1);
  await box.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await submitCreation(page);
}
