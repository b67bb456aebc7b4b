import { createHash } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { encrypted, makeContract } from './documents.ts';
import {
  addSigner,
  expectNoFaults,
  newPerson,
  openSignature,
  registerFirstAccount,
  signIn,
  submitCreation,
  watchServer,
} from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
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

async function choose(page: Page, ...files: [string, Buffer][]): Promise<void> {
  await page.setInputFiles(
    'input[type=file]',
    files.map(([name, buffer]) => ({ name, mimeType: 'application/pdf', buffer })),
  );
  await page.waitForURL('**/prepare');
}

test('a file with a password is opened beside its name with the keyboard, and signers read a copy that has none', async ({
  page,
  browser,
}) => {
  const contract = await makeContract('Contrato com senha', 2);
  const locked = encrypted(contract);
  const uploaded: { name: string; openedFrom: string | null }[] = [];
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postDataBuffer()?.toString('latin1') ?? ''}`));
  page.on('response', async (response) => {
    if (response.url().endsWith('/api/documents')) uploaded.push(...(await response.json()));
  });
  await choose(page, ['fechado.pdf', locked], ['aberto.pdf', contract]);
  const password = page.getByLabel('Senha de fechado.pdf');
  await expect(password).toBeVisible();
  await expect(page.getByText('Este PDF tem senha.')).toBeVisible();
  await expect(page.getByLabel('Senha de aberto.pdf')).toHaveCount(0);
  await expectAccessible(page, 'locked-file');

  await addSigner(page, 'Bia Lima', 'bia@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await expect(page.getByText('Digite a senha de cada arquivo que tem uma')).toBeVisible();

  await password.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Digite a senha do arquivo.')).toBeVisible();
  await page.keyboard.type('outra');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A senha não abre este arquivo.')).toBeVisible();
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'locked-file-wrong');
  await password.fill('segredo');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Aberto com a senha. O documento assinado não terá senha.')).toBeVisible();
  await expect(password).toHaveCount(0);
  await expectAccessible(page, 'locked-file-opened');

  // What was opened stays open when the page comes anew, without the password.
  await page.reload();
  await expect(page.getByText('Aberto com a senha.')).toBeVisible();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await submitCreation(page);
  expect(sent.filter((one) => one.includes('segredo'))).toEqual([]);
  expect(uploaded.map(({ name, openedFrom }) => [name, openedFrom])).toEqual([
    ['fechado.pdf', createHash('sha256').update(locked).digest('hex')],
    ['aberto.pdf', null],
  ]);

  const bia = await newPerson(browser);
  await openSignature(bia, await mailedLink(product, 'bia@exemplo.com.br', 'fechado'));
  await bia.context().close();
});

test('where the author leaves others less than everything, the author’s password opens it, and the reader’s says why not', async ({
  page,
}) => {
  await choose(page, ['restrito.pdf', encrypted(await makeContract('Restrito', 1), ['--print=none'])]);
  const password = page.getByLabel('Senha de restrito.pdf');
  await password.fill('segredo');
  await page.getByRole('button', { name: 'Abrir arquivo' }).click();
  await expect(page.getByText('o autor não permite tudo o que uma cópia sem senha permitiria')).toBeVisible();
  await expectAccessible(page, 'locked-file-forbidden');
  await password.fill('do dono');
  await page.getByRole('button', { name: 'Abrir arquivo' }).click();
  await expect(page.getByText('Aberto com a senha.')).toBeVisible();
});

test('the file can be left out instead', async ({ page }) => {
  await choose(page, ['fechado.pdf', encrypted(await makeContract('x', 1))]);
  await expect(page.getByLabel('Senha de fechado.pdf')).toBeVisible();
  await page.getByRole('button', { name: 'Remover fechado.pdf' }).click();
  await expect(page.getByLabel('Senha de fechado.pdf')).toHaveCount(0);
});
