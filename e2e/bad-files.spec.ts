import { expect, test } from '@playwright/test';
import { makeContract, withoutPages } from './documents.ts';
import { addSigner, expectNoFaults, newPerson, registerFirstAccount, signIn, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct({ LAVRA_MAX_UPLOAD_MB: '1' });
  const page = await newPerson(browser);
  await registerFirstAccount(product, page);
  await page.context().close();
});
test.afterAll(() => product.stop());
test.beforeEach(async ({ page }) => {
  watchServer(page);
  await signIn(product, page);
});
test.afterEach(expectNoFaults);

const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

test('what can be seen on the spot is refused on the spot, and good files beside it stay', async ({ page }) => {
  const good = await makeContract('Bom', 1);
  await page.setInputFiles('input[type=file]', { name: 'planilha.xlsx', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from('x') });
  await expect(page.getByText('“planilha.xlsx” não é um arquivo PDF.')).toBeVisible();
  await page.setInputFiles('input[type=file]', pdf('vazio.pdf', Buffer.alloc(0)));
  await expect(page.getByText('“vazio.pdf” está vazio.')).toBeVisible();
  await page.setInputFiles('input[type=file]', pdf('grande.pdf', Buffer.concat([good, Buffer.alloc(1024 * 1024)])));
  await expect(page.getByText('“grande.pdf” passa do tamanho permitido, 1 MB.')).toBeVisible();
  await page.setInputFiles('input[type=file]', [pdf('contrato.pdf', good), pdf('vazio.pdf', Buffer.alloc(0))]);
  await page.waitForURL('**/prepare');
  await expect(page.getByText('“vazio.pdf” está vazio.')).toBeVisible();
  // The address changes before the page does: until then the field is the old page's.
  await expect(page.getByText('contrato.pdf').first()).toBeVisible();
  await page.setInputFiles('input[type=file]', [pdf('contrato.pdf', good), pdf('anexo.pdf', good)]);
  await expect(page.getByText('Já há um documento com o nome “contrato.pdf”')).toBeVisible();
  await expect(page.getByText('anexo.pdf').first()).toBeVisible();
});

for (const [kind, make, sentence] of [
  ['text under a PDF name', () => Buffer.from('isto não é um PDF'), 'não é um arquivo PDF'],
  ['a damaged file', async () => (await makeContract('x', 1)).subarray(0, 300), 'está danificado'],
  ['a file without pages', () => withoutPages(), 'não tem páginas'],
] as const) {
  test(`${kind} is told in red at its name when it is chosen, and keeps from going on until it is removed`, async ({ page }) => {
    await page.setInputFiles('input[type=file]', [pdf('ruim.pdf', await make()), pdf('bom.pdf', await makeContract('Bom', 3))]);
    await page.waitForURL('**/prepare');
    await expect(page.getByRole('alert').getByText(`“ruim.pdf” ${sentence}`)).toBeVisible();
    await expect(page.getByText(/^PDF · 3 páginas · \d+ kB/)).toBeVisible();
    await addSigner(page, 'Joana Sá', 'joana@exemplo.com.br');
    await page.getByRole('button', { name: 'Próximo' }).click();
    await expect(page.getByText('Remova os arquivos que não podem ser assinados')).toBeVisible();
    await page.getByRole('button', { name: 'Remover ruim.pdf' }).click();
    await page.getByRole('button', { name: 'Próximo' }).click();
    await page.waitForURL('**/confirm');
  });
}
