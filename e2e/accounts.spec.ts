import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { typeIntoCombobox } from './combobox.ts';
import { creator, expectNoFaults, newPerson, registerFirstAccount, watchServer } from './people.ts';

const program = join(fileURLToPath(new URL('..', import.meta.url)), 'apps/server/src/testing/clocked-server.ts');

/** The whole server in a program whose clock the story moves and whose mail it reads. */
interface ClockedServer {
  url: string;
  ask(command: object): Promise<string | null>;
  close(): Promise<void>;
}

async function startClocked(profile: 'dev' | 'prod'): Promise<ClockedServer> {
  const child = spawn(process.execPath, [program, profile], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse(((await lines.next()).value as string | undefined) ?? 'null') as string | null;
  const url = await answer();
  if (url === null) throw new Error('the server did not start');
  return {
    url,
    ask(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      return answer();
    },
    close() {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.stdin.end();
      return ended;
    },
  };
}

let served: ClockedServer;
test.beforeAll(async ({ browser }) => {
  served = await startClocked('dev');
  const page = await newPerson(browser);
  await registerFirstAccount(served, page);
  await page.context().close();
});
test.afterAll(() => served.close());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

async function register(page: Page, name: string, email: string, password: string): Promise<void> {
  await page.goto(`${served.url}/account/register`);
  await page.getByLabel('Nome', { exact: true }).fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Nova senha').fill(password);
  await page.getByLabel('Repita a senha').fill(password);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await expect(page.getByText('Enviamos um link')).toBeVisible();
}

/** The address in the newest mail to somebody, here. */
async function mailedAddress(email: string): Promise<string> {
  const path = /\/account\/\S+/.exec((await served.ask({ mailTo: email })) ?? '')?.[0];
  if (!path) throw new Error(`no link for ${email}`);
  return `${served.url}${path}`;
}

async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${served.url}/login`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

test('the link of the activation mail is enough in the browser that registered', async ({ page }) => {
  await register(page, 'Duda', 'duda@exemplo.com.br', 'Segredo123');
  await expect(page).toHaveURL(`${served.url}/`);
  await expectAccessible(page, 'register-check');
  await page.goto(await mailedAddress('duda@exemplo.com.br'));
  await expect(page.getByText('Sua conta está ativa.')).toBeVisible();
  await expectAccessible(page, 'activate-done');
  await enter(page, 'duda@exemplo.com.br', 'Segredo123');
  await page.waitForURL('**/signature');
});

test('elsewhere it asks for the password chosen at registration', async ({ page, browser }) => {
  await register(page, 'Elis', 'elis@exemplo.com.br', 'Segredo123');
  const phone = await newPerson(browser);
  await phone.goto(await mailedAddress('elis@exemplo.com.br'));
  await phone.getByLabel('Senha escolhida no cadastro').fill('Errada123');
  await phone.getByRole('button', { name: 'Ativar minha conta' }).click();
  await expect(phone.getByText('Esta não é a senha escolhida no cadastro.')).toBeVisible();
  await expectAccessible(phone, 'activate-proof');
  await phone.getByLabel('Senha escolhida no cadastro').fill('Segredo123');
  await phone.keyboard.press('Enter');
  await expect(phone.getByText('Sua conta está ativa.')).toBeVisible();
});

test('whoever registers somebody else’s address gets nothing when its owner opens the link', async ({ page: attacker, browser }) => {
  await register(attacker, 'Estranha', 'vitoria@exemplo.com.br', 'Atacante1');
  const owner = await newPerson(browser);
  await owner.goto(await mailedAddress('vitoria@exemplo.com.br'));
  await expect(owner.getByText('O link está certo.')).toBeVisible();
  await enter(attacker, 'vitoria@exemplo.com.br', 'Atacante1');
  await expect(attacker.getByRole('dialog').getByText('Sua conta ainda não foi ativada.')).toBeVisible();
  await owner.getByRole('button', { name: 'Não fui eu' }).click();
  await owner.getByLabel('Nome', { exact: true }).fill('Vitória');
  await owner.getByRole('button', { name: 'Salvar e ativar' }).click();
  await expect(owner.getByText('A senha precisa de pelo menos 6 caracteres').first()).toBeVisible();
  await expectAccessible(owner, 'activate-take-over');
  await owner.getByLabel('Nova senha').fill('Minha1234');
  await owner.getByLabel('Repita a senha').fill('Minha1234');
  await owner.keyboard.press('Enter');
  await expect(owner.getByText('Sua conta está ativa.')).toBeVisible();
  await enter(attacker, 'vitoria@exemplo.com.br', 'Atacante1');
  await expect(attacker.getByRole('dialog').getByText('Falha ao logar!')).toBeVisible();
  await enter(owner, 'vitoria@exemplo.com.br', 'Minha1234');
  await owner.waitForURL('**/signature');
  await owner.goto(`${served.url}/account/settings`);
  await expect(owner.getByLabel('Nome', { exact: true })).toHaveValue('Vitória');
});

test('the page of the link speaks English and Spanish', async ({ page, browser }) => {
  await register(page, 'Gil', 'gil@exemplo.com.br', 'Segredo123');
  const other = await newPerson(browser);
  await other.goto(await mailedAddress('gil@exemplo.com.br'));
  for (const [locale, first, second] of [
    ['en', 'The link is right.', 'This e-mail is yours'],
    ['es', 'El enlace es correcto.', 'Este correo es suyo'],
    ['pt-br', 'O link está certo.', 'Este e-mail é seu'],
  ] as const) {
    await other.locator('header select').selectOption(locale);
    await expect(other.getByText(first)).toBeVisible();
    await expectAccessible(other, `activate-proof-${locale}`);
    await other.locator('form button[type=button]').last().click();
    await expect(other.getByText(second)).toBeVisible();
    await other.locator('form button[type=button]').last().click();
  }
});

test('a door that failures shut shows the way in by mail', async ({ page }) => {
  for (let failure = 0; failure < 5; failure += 1) {
    await enter(page, 'fora@exemplo.com.br', 'Errada123');
    const dialog = page.getByRole('dialog', { name: 'Não foi possível entrar' });
    await expect(dialog.getByText('Falha ao logar! Por favor verifique suas credenciais e tente novamente.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Tentar de novo' }).click();
    await expect(page.getByText('Falha ao logar!')).toBeVisible();
  }
  await enter(page, 'fora@exemplo.com.br', 'Errada123');
  await expect(page.getByRole('dialog').getByText('Foram muitas tentativas.')).toBeVisible();
  await expectAccessible(page, 'login-locked');
  await page.getByRole('dialog').getByRole('link', { name: 'Entrar agora com um link por e-mail' }).click();
  await page.waitForURL('**/account/reset/request');
});

test('a session outlives its token: a form goes on where it was, two tabs at once too, until the session ends', async ({ page }) => {
  await page.goto(`${served.url}/login`);
  await page.getByLabel('Manter conectado').check();
  await page.getByLabel('E-mail').fill(creator.email);
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/signature');
  await page.goto(`${served.url}/account/settings`);
  await page.getByLabel('Sobrenome').fill('Souza');
  await served.ask({ advanceMinutes: 11 });
  const [renewal] = await Promise.all([page.waitForResponse('**/api/refresh'), page.getByRole('button', { name: 'Salvar' }).click()]);
  expect(renewal.status()).toBe(200);
  await expect(page.getByText('Configurações salvas.')).toBeVisible();
  await expect(page.getByLabel('Sobrenome')).toHaveValue('Souza');

  const second = await page.context().newPage();
  watchServer(second);
  await second.goto(`${served.url}/account/settings`);
  await served.ask({ advanceMinutes: 11 });
  await Promise.all([page.reload(), second.reload()]);
  for (const tab of [page, second]) await expect(tab.getByLabel('Sobrenome')).toHaveValue('Souza');

  // A tab that hangs in the middle of its renewal holds up no other.
  await second.evaluate(() => void navigator.locks.request('lavra-refresh', () => new Promise(() => {})));
  await served.ask({ advanceMinutes: 11 });
  await page.reload();
  await expect(page.getByLabel('Sobrenome')).toHaveValue('Souza');

  // Asleep for a day.
  await served.ask({ advanceMinutes: 24 * 60 });
  await second.goto(`${served.url}/signature`);
  await expect(second.getByText('Nenhum processo ainda')).toBeVisible();

  await second.goto(`${served.url}/logout`);
  await page.goto(`${served.url}/account/settings`);
  await page.waitForURL('**/login');
});

test('a new e-mail counts when its link was opened; other sessions are ended from the settings, and the ended one is told so', async ({
  page,
  browser,
}) => {
  await register(page, 'Hugo', 'hugo@exemplo.com.br', 'Segredo123');
  await page.goto(await mailedAddress('hugo@exemplo.com.br'));
  await expect(page.getByText('Sua conta está ativa.')).toBeVisible();
  await enter(page, 'hugo@exemplo.com.br', 'Segredo123');
  await page.waitForURL('**/signature');
  await page.goto(`${served.url}/account/settings`);
  const zone = page.getByRole('combobox', { name: 'Fuso horário' });
  await typeIntoCombobox(zone, 'manaus');
  await page.getByRole('option', { name: /Manaus/ }).click();
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Configurações salvas.')).toBeVisible();
  await page.getByRole('button', { name: 'Trocar e-mail' }).click();
  await page.getByLabel('Novo e-mail').fill('hugo.novo@exemplo.com.br');
  await page.getByLabel('Senha atual').fill('Errada123');
  await page.getByRole('button', { name: 'Enviar confirmação' }).click();
  await expect(page.getByText('A senha atual não confere.')).toBeVisible();
  await expectAccessible(page, 'settings-email');
  await page.getByLabel('Senha atual').fill('Segredo123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Falta confirmar hugo.novo@exemplo.com.br')).toBeVisible();

  // Opened where nobody is signed in: the link is come back to.
  const other = await newPerson(browser);
  await other.goto(await mailedAddress('hugo.novo@exemplo.com.br'));
  await other.waitForURL('**/login');
  await other.getByLabel('E-mail').fill('hugo@exemplo.com.br');
  await other.getByLabel('Senha', { exact: true }).fill('Segredo123');
  await other.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(other.getByText('Pronto: sua conta agora usa o e-mail hugo.novo@exemplo.com.br.')).toBeVisible();
  await other.getByRole('link', { name: 'Ver as configurações' }).click();
  await expect(other.getByText('Este navegador')).toBeVisible();
  await expectAccessible(other, 'settings-sessions');
  await other.getByRole('button', { name: 'Encerrar todas as outras' }).click();
  await expect(other.getByRole('region', { name: 'Avisos' }).getByText('As outras sessões foram encerradas.')).toBeVisible();
  await expect(other.getByRole('listitem').filter({ hasText: 'Último uso' })).toHaveCount(1);

  // An account that could not be asked for is told as that, and asked for again.
  await other.route('**/api/account', (route) => route.abort(), { times: 1 });
  await other.goto(`${served.url}/account/settings`);
  await expect(other.getByRole('heading', { name: 'Sua conta não pôde ser aberta' })).toBeVisible();
  await other.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(other.getByRole('heading', { name: 'Configurações' })).toBeVisible();

  // What had been begun is come back to after signing in again.
  await page.goto(`${served.url}/account/password`);
  await page.waitForURL('**/login');
  await expect(page.getByText('Sua sessão terminou. Entre de novo.')).toBeVisible();
  await expectAccessible(page, 'login-session-over');
  await page.getByLabel('E-mail').fill('hugo.novo@exemplo.com.br');
  await page.getByLabel('Senha', { exact: true }).fill('Segredo123');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/account/password');
  await page.getByLabel('Senha atual').fill('Segredo123');
  await page.getByLabel('Nova senha').fill('Password1');
  await page.getByLabel('Repita a senha').fill('Password1');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Esta senha é das mais usadas')).toBeVisible();
  await expectAccessible(page, 'password-known');
});

test('in production the first account is made with the key that the start printed', async ({ page }) => {
  const production = await startClocked('prod');
  try {
    const key = await production.ask({ firstKey: true });
    await page.goto(`${production.url}/login`);
    await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible();
    await expect(page.getByText('ainda não tem contas')).toHaveCount(0);
    await page.goto(`${production.url}/account/register`);
    await page.getByLabel('Nome', { exact: true }).fill(creator.name);
    await page.getByLabel('E-mail').fill(creator.email);
    await page.getByLabel('Nova senha').fill(creator.password);
    await page.getByLabel('Repita a senha').fill(creator.password);
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await expect(page.getByText('Informe a chave que apareceu')).toBeVisible();
    await expectAccessible(page, 'register-first-key');
    await page.getByLabel('Chave da primeira conta').fill('errada');
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await expect(page.getByText('Esta chave não confere.')).toBeVisible();
    await page.goto('about:blank');
    await page.goto(`${production.url}/account/register#key=${key}`);
    await expect(page.getByLabel('Chave da primeira conta')).toHaveValue(key ?? '');
    await page.getByLabel('Nome', { exact: true }).fill(creator.name);
    await page.getByLabel('E-mail').fill(creator.email);
    await page.getByLabel('Nova senha').fill(creator.password);
    await page.getByLabel('Repita a senha').fill(creator.password);
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await expect(page.getByText('Conta criada.')).toBeVisible();
    await expect(page.getByRole('button', { name: new RegExp(`${creator.name}: sua conta`) })).toBeVisible();
  } finally {
    await production.close();
  }
});
