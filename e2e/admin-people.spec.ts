import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { creator, expectNoFaults, newPerson, phone, registerFirstAccount, signIn, watchServer } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

const nova = { name: 'Nova', email: 'nova@exemplo.com.br', password: 'Jardim-7-azul' };

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

test('an administrator makes an account, whose holder chooses the password; shuts it, gives it back, and reads what was done', async ({
  page,
  browser,
}) => {
  await signIn(product, page);
  await page.getByRole('link', { name: 'Administração' }).click();
  await expect(page.getByRole('heading', { name: 'Administração' })).toBeVisible();
  await expectAccessible(page, 'admin-start');
  await page.getByRole('navigation', { name: 'Áreas da administração' }).getByRole('link', { name: 'Contas' }).click();
  await makeAccount(page);

  const holder = await newPerson(browser);
  await enter(holder);
  await standing(page, holder);
  // Shut: the holder's next step leads to the sign-in.
  await holder.goto(`${product.url}/signature`);
  await expect(holder.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible();
  await act(page, 'Reativar', 'Conta reativada.');
  await expect(page.getByText('Ativa', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Ver na auditoria' }).click();
  await expect(page.getByLabel('Pessoa ou identificador')).toHaveValue(nova.email);
  await expect(page.getByRole('row', { name: /Conta desativada Feito ana@exemplo\.com\.br nova@exemplo\.com\.br/ })).toBeVisible();
  await page.getByLabel('Ato').selectOption({ label: 'Papéis alterados' });
  await expect(page.getByText('1 a 1 de 1')).toBeVisible();
  await expectAccessible(page, 'admin-audit');
  await page.getByLabel('Ato').selectOption({ label: 'Todos' });
  await page.getByLabel('De', { exact: true }).fill('01/01/2020');
  await page.getByLabel('Até').fill('31/01/2020');
  await expect(page.getByText('Nada encontrado. Mude a busca.')).toBeVisible();
  await holder.context().close();
});

test('the last administrator keeps the role, and is told why; on a phone', async ({ page }) => {
  await signIn(product, page);
  await page.setViewportSize(phone);
  await page.goto(`${product.url}/admin/users`);
  await page.getByRole('link', { name: creator.email, exact: true }).click();
  await page.getByRole('checkbox', { name: 'Administrador' }).uncheck();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText(/Esta é a única conta de administração ativa/)).toBeVisible();
  await page.getByRole('button', { name: 'Desativar' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Desativar' }).click();
  await expect(page.getByRole('dialog').getByText(/Esta é a única conta de administração ativa/)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('link', { name: 'Administração' }).first().click();
  await expect(page.getByRole('heading', { name: 'Administração' })).toBeVisible();
});

test('an administrator takes a person’s data as a file, and erases them with the address typed', async ({ page }) => {
  await signIn(product, page);
  await page.goto(`${product.url}/admin/users`);
  await page.getByRole('link', { name: nova.email, exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar os dados' }).click();
  expect((await download).suggestedFilename()).toBe('dados-pessoais.zip');
  await page.getByRole('button', { name: 'Apagar os dados' }).click();
  const dialog = page.getByRole('dialog');
  const erase = dialog.getByRole('button', { name: 'Apagar os dados' });
  await expect(erase).toBeDisabled();
  await dialog.getByLabel('Para confirmar, digite o e-mail da conta').fill(nova.email);
  await expectAccessible(page, 'admin-user-erasure');
  await erase.click();
  await expect(page.getByText('Os dados pessoais foram apagados.').first()).toBeVisible();
  await expect(page.getByText('Apagada', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reativar' })).toHaveCount(0);
});

async function makeAccount(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Nova conta' }).click();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.getByLabel('E-mail').fill(nova.email);
  await page.getByLabel('Nome', { exact: true }).fill(nova.name);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Criado com sucesso.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Buscar' }).fill('NOVA');
  await expect(page.getByText('1 a 1 de 1')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Buscar' }).fill('');
  await expect(page.getByText('1 a 2 de 2')).toBeVisible();
  await expectAccessible(page, 'admin-users');
}

/** By the link in the mail, with a password of their own. */
async function enter(holder: Page): Promise<void> {
  await holder.goto(await mailedLink(product, nova.email, 'Sua conta no Lavra'));
  await holder.getByLabel('Nova senha').fill(nova.password);
  await holder.getByLabel('Repita a senha').fill(nova.password);
  await holder.getByRole('button', { name: 'Salvar' }).click();
  await holder.getByLabel('E-mail').fill(nova.email);
  await holder.getByLabel('Senha', { exact: true }).fill(nova.password);
  await holder.getByRole('button', { name: 'Entrar', exact: true }).click();
  await holder.waitForURL('**/signature');
}

async function standing(page: Page, holder: Page): Promise<void> {
  await page.getByRole('link', { name: nova.email, exact: true }).click();
  await expect(page.getByText('Ativa', { exact: true })).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('readonly');
  await expectAccessible(page, 'admin-user');
  // What is typed beside an act stays, also where the account is another meanwhile, which is followed and not saved over.
  await page.getByLabel('Sobrenome').fill('Lima');
  await holder.goto(`${product.url}/account/settings`);
  await holder.getByLabel('Nome', { exact: true }).fill('Novíssima');
  await holder.getByRole('button', { name: 'Salvar' }).click();
  await expect(holder.getByText('Configurações salvas.')).toBeVisible();
  await act(page, 'Desativar', 'Conta desativada.');
  await expect(page.getByText('Desativada', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Nome', { exact: true })).toHaveValue('Novíssima');
  await expect(page.getByLabel('Sobrenome')).toHaveValue('Lima');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Alterações salvas.').first()).toBeVisible();
  await page.getByRole('link', { name: nova.email, exact: true }).click();
  await expect(page.getByLabel('Sobrenome')).toHaveValue('Lima');
  await expect(page.getByLabel('Nome', { exact: true })).toHaveValue('Novíssima');
  await expect(page.getByText('Desativada', { exact: true })).toBeVisible();
}

async function act(page: Page, name: string, told: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await expect(page.getByText(told).first()).toBeVisible();
}
