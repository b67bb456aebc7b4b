import { expect, type Page, test } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expectAccessible } from './axe.ts';
import { creator, expectNoFaults, newPerson, phone, registerFirstAccount, watchServer, withAuthenticator } from './people.ts';
import { mailed, mailedLink, type Product, startProduct } from './product.ts';

const nova = { name: 'Nova', email: 'nova@exemplo.com.br', password: 'Jardim-7-azul' };

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

test('an app’s code, a backup code once, and a passkey confirm a sign-in; a passkey signs in alone; an administrator requires and resets', async ({
  page,
  browser,
}) => {
  await withAuthenticator(page);
  await registerFirstAccount(product, page);
  await page.getByRole('button', { name: creator.email }).click();
  await page.getByRole('menuitem', { name: 'Verificação em duas etapas' }).click();
  const [once, other] = await addApp(page);
  await signInByBackupCode(page, once, other);
  await addPasskey(page);
  await signInByPasskey(page);

  await page.goto(`${product.url}/account/second-factor`);
  await page.getByRole('button', { name: 'Remover o aplicativo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Usar chave de acesso' }).click();
  await expect(page.getByRole('button', { name: 'Configurar aplicativo autenticador' })).toBeVisible();

  await requireOfEverybody(page);
  await makeAccount(page);
  const holder = await newPerson(browser, { viewport: phone });
  await enterByEnrolling(holder);
  await reset(page, holder);
  await holder.context().close();
});

async function addApp(page: Page): Promise<[string, string]> {
  await page.getByRole('button', { name: 'Configurar aplicativo autenticador' }).click();
  await page.getByLabel('Senha', { exact: true }).fill('errada-1234');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByText('A senha atual não confere.')).toBeVisible();
  await prove(page);
  await wrongCode(page);
  // Left and begun again: the fault of the first time is not told any more.
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Configurar aplicativo autenticador' }).click();
  await prove(page);
  const app = await readApp(page);
  await expect(page.getByText('Código incorreto.')).toBeHidden();
  const code = app.generate();
  await page.getByLabel('Código do aplicativo').fill(code);
  await page.getByRole('button', { name: 'Confirmar' }).click();
  const codes = await keepBackupCodes(page);
  await expect(page.getByText('Códigos que ainda valem: 10')).toBeVisible();
  await expect(page.getByText(codes[0])).toBeHidden();

  await firstStep(page, creator);
  await page.getByLabel('Código do aplicativo').fill(code);
  await page.getByRole('button', { name: 'Confirmar e entrar' }).click();
  await expect(page.getByText('Este código já foi usado.')).toBeVisible();
  // The app's next code, as after half a minute: a step before and after the server's is taken.
  await page.getByLabel('Código do aplicativo').fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Confirmar e entrar' }).click();
  await page.waitForURL('**/signature');
  return codes;
}

async function signInByBackupCode(page: Page, once: string, other: string): Promise<void> {
  await backupCodeStep(page, once);
  await page.waitForURL('**/signature');
  await backupCodeStep(page, once);
  await expect(page.getByText('Este código de reserva não confere ou já foi usado.')).toBeVisible();
  await expectAccessible(page, 'second-step-backup-code');
  await page.getByLabel('Código de reserva').fill(other);
  await page.getByRole('button', { name: 'Confirmar e entrar' }).click();
  await page.waitForURL('**/signature');
}

async function backupCodeStep(page: Page, code: string): Promise<void> {
  await firstStep(page, creator);
  await page.getByRole('button', { name: 'Usar um código de reserva' }).click();
  await page.getByLabel('Código de reserva').fill(code);
  await page.getByRole('button', { name: 'Confirmar e entrar' }).click();
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto(`${product.url}/account/second-factor`);
  await page.getByRole('button', { name: 'Criar chave de acesso' }).click();
  await prove(page);
  await page.getByRole('button', { name: 'Mudar o nome de' }).click();
  await page.getByLabel('Nome da chave de acesso').fill('Notebook');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Notebook')).toBeVisible();
  await expect(page.getByText('Códigos que ainda valem: 8')).toBeVisible();
  await expectAccessible(page, 'second-factor');
}

async function signInByPasskey(page: Page): Promise<void> {
  await firstStep(page, creator);
  await page.getByRole('button', { name: 'Usar minha chave de acesso' }).click();
  await page.waitForURL('**/signature');
  await signOut(page);
  await page.goto(`${product.url}/login`);
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await page.waitForURL('**/signature');
}

async function requireOfEverybody(page: Page): Promise<void> {
  await page.goto(`${product.url}/admin/second-factor`);
  await expect(page.getByText('1 de 1 contas ativas')).toBeVisible();
  await page.getByRole('radio', { name: 'De todas as pessoas' }).check();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Salvo.')).toBeVisible();
  await page.goto(`${product.url}/account/second-factor`);
  await page.getByRole('button', { name: 'Remover Notebook' }).click();
  await prove(page);
  await expect(page.getByText('Adicione outra forma de confirmar antes de remover a última.')).toBeVisible();
}

async function makeAccount(page: Page): Promise<void> {
  await page.goto(`${product.url}/admin/users`);
  await page.getByRole('link', { name: 'Nova conta' }).click();
  await page.getByLabel('E-mail').fill(nova.email);
  await page.getByLabel('Nome', { exact: true }).fill(nova.name);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Criado com sucesso.')).toBeVisible();
}

/** A first sign-in where a second factor is required: it is made before the account opens. */
async function enterByEnrolling(holder: Page): Promise<void> {
  await holder.goto(await mailedLink(product, nova.email, 'Sua conta no Lavra'));
  await holder.getByLabel('Nova senha').fill(nova.password);
  await holder.getByLabel('Repita a senha').fill(nova.password);
  await holder.getByRole('button', { name: 'Salvar' }).click();
  await fillFirstStep(holder, nova);
  await expect(holder.getByRole('heading', { name: 'Proteja a sua conta' })).toBeVisible();
  await holder.getByRole('button', { name: 'Configurar aplicativo autenticador' }).click();
  await wrongCode(holder);
  await holder.getByRole('button', { name: 'Cancelar' }).click();
  await expect(holder.getByText('Código incorreto.')).toBeHidden();
  await holder.getByRole('button', { name: 'Configurar aplicativo autenticador' }).click();
  const app = await readApp(holder);
  await holder.getByLabel('Código do aplicativo').fill(app.generate());
  await holder.getByRole('button', { name: 'Confirmar' }).click();
  await keepBackupCodes(holder);
  await holder.waitForURL('**/signature');
}

/** The holder is signed out, is written to, and makes a factor anew. */
async function reset(page: Page, holder: Page): Promise<void> {
  await page.goto(`${product.url}/admin/users`);
  await page.getByRole('link', { name: nova.email, exact: true }).click();
  await page.getByRole('button', { name: 'Zerar a verificação em duas etapas' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Zerar a verificação em duas etapas' }).click();
  await expect(page.getByText('Verificação em duas etapas zerada.').first()).toBeVisible();
  await mailed(product, nova.email, 'Verificação em duas etapas zerada na sua conta');
  await holder.goto(`${product.url}/signature`);
  await fillFirstStep(holder, nova);
  await expect(holder.getByRole('heading', { name: 'Proteja a sua conta' })).toBeVisible();
}

async function prove(page: Page): Promise<void> {
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Continuar' }).click();
}

async function wrongCode(page: Page): Promise<void> {
  const app = await readApp(page);
  const right = app.generate();
  await page.getByLabel('Código do aplicativo').fill(`${(Number(right[0]) + 1) % 10}${right.slice(1)}`);
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('Código incorreto.')).toBeVisible();
}

/** The secret as somebody reads it who cannot scan the picture, in an app of their own. */
async function readApp(page: Page): Promise<TOTP> {
  await page.getByText('Não consigo ler o desenho').click();
  return new TOTP({ secret: (await page.locator('.totp-secret').innerText()).replaceAll(/\s/g, '') });
}

async function keepBackupCodes(page: Page): Promise<[string, string]> {
  await expect(page.getByText('Guarde estes códigos agora')).toBeVisible();
  const [first = '', second = ''] = await page.locator('.backup-codes code').allInnerTexts();
  await page.getByRole('checkbox', { name: 'Guardei os códigos' }).check();
  await page.getByRole('button', { name: 'Continuar' }).click();
  return [first, second];
}

/** The page of the sign-out tells the server first: whoever goes on before it has ended stays signed in. */
async function signOut(page: Page): Promise<void> {
  await page.goto(`${product.url}/logout`);
  await page.waitForURL((url) => url.pathname === '/');
}

async function firstStep(page: Page, account: { email: string; password: string }): Promise<void> {
  await signOut(page);
  await page.goto(`${product.url}/login`);
  await fillFirstStep(page, account);
  await expect(page.getByRole('heading', { name: 'Confirme que é você' })).toBeVisible();
}

async function fillFirstStep(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Senha', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}
