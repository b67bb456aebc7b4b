import { type Browser, expect, type Page, test } from '@playwright/test';
import { addSigner, creator, expectNoFaults, newPerson, registerFirstAccount, watchServer } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';
import { makeContract } from './documents.ts';

/** Guards, menus and what every page has, as the specification's sections 2, 6, 8 and 9 write them, tried in a browser. */
const NOT_AUTHORIZED = 'Você não tem autorização para acessar esta página.';
const someone = '00000000-0000-4000-8000-000000000000';
const user = { name: 'Ulisses', email: 'ulisses@exemplo.com.br', authorities: ['ROLE_USER'] };
const administrator = { name: 'Alda', email: 'alda@exemplo.com.br', authorities: ['ROLE_ADMIN'] };

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await newPerson(browser);
  await registerFirstAccount(product, page);
  await page.context().close();
  for (const person of [user, administrator]) await makeAccount(person);
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

async function post(path: string, body: unknown, token?: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(`${product.url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  return answer;
}

/** An account with these authorities alone, whose holder has chosen the password. */
async function makeAccount({ name, email, authorities }: typeof user): Promise<void> {
  const entered = await post('api/authenticate', { username: creator.email, password: creator.password, rememberMe: false });
  const { id_token: token } = (await entered.json()) as { id_token: string };
  await post('api/admin/users', { email, firstName: name, langKey: 'pt-br', authorities }, token);
  const key = new URL(await mailedLink(product, email, 'conta')).searchParams.get('key');
  await post('api/account/reset-password/finish', { key, newPassword: creator.password });
}

async function enter(page: Page, email: string, { remember = false } = {}): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  if (remember) await page.getByLabel('Manter conectado').check();
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/signature');
}

async function entered(browser: Browser, email: string): Promise<Page> {
  const page = await newPerson(browser);
  await enter(page, email);
  return page;
}

const forUsers = [
  'signature',
  `signature/process/${someone}`,
  'prepare',
  'confirm',
  'signature-model',
  'register-signature-model',
  'entity',
];
const forAdministrators = ['contract', 'contract/new', 'contract/1', 'contract/1/delete', 'contract-type', 'contract-type/new', 'admin'];
const forBoth = ['account', 'account/settings', 'account/password'];

test('who is not signed in is sent to /login by every private address', async ({ page }) => {
  for (const address of [...forUsers, ...forAdministrators, ...forBoth]) {
    await page.goto(`${product.url}/${address}`);
    await expect(page, address).toHaveURL(`${product.url}/login`);
  }
});

test('a private address leads back to itself after the sign-in', async ({ page }) => {
  await page.goto(`${product.url}/account/settings`);
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/account/settings`);
});

test('ROLE_USER alone: the addresses of administrators say “not authorized”, the others open', async ({ browser }) => {
  const page = await entered(browser, user.email);
  for (const address of forAdministrators) {
    await page.goto(`${product.url}/${address}`);
    await expect(page.getByText(NOT_AUTHORIZED), address).toBeVisible();
  }
  for (const address of ['signature', 'signature-model', 'entity', ...forBoth]) {
    await page.goto(`${product.url}/${address}`);
    await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible();
    await expect(page.getByText(NOT_AUTHORIZED), address).toHaveCount(0);
  }
  await expect(page.getByRole('navigation', { name: 'Menu' }).getByRole('link')).toHaveText(['Assinaturas', 'Modelos de assinatura']);
  await page.context().close();
});

test('ROLE_ADMIN alone: the addresses of users say “not authorized”, the administration opens', async ({ browser }) => {
  const page = await entered(browser, administrator.email);
  for (const address of forUsers) {
    await page.goto(`${product.url}/${address}`);
    await expect(page.getByText(NOT_AUTHORIZED), address).toBeVisible();
  }
  for (const address of ['contract', 'contract-type', 'admin', ...forBoth]) {
    await page.goto(`${product.url}/${address}`);
    await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible();
    await expect(page.getByText(NOT_AUTHORIZED), address).toHaveCount(0);
  }
  const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link');
  await expect(menu).toHaveText(['Assinaturas', 'Contratos', 'Tipos de contrato', 'Empresas', 'Administração']);
  await page.context().close();
});

test('settings, change password and sign out stand in the menu of the account; /logout clears the session and goes to /', async ({
  browser,
}) => {
  const page = await entered(browser, user.email);
  await page.getByRole('button', { name: user.email }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Configurações', 'Mudar senha', /etapas/, 'Sair']);
  await page.getByRole('menuitem', { name: 'Sair' }).click();
  await expect(page).toHaveURL(`${product.url}/`);
  expect(
    await page.evaluate(() => localStorage.getItem('jhi-authenticationToken') ?? sessionStorage.getItem('jhi-authenticationToken')),
  ).toBe(null);
  await page.context().close();
});

test('the token stands under jhi-authenticationToken: in the session, or kept with remember-me', async ({ browser }) => {
  for (const remember of [false, true]) {
    const page = await newPerson(browser);
    await enter(page, user.email, { remember });
    const held = await page.evaluate(() => [localStorage, sessionStorage].map((one) => one.getItem('jhi-authenticationToken') !== null));
    expect(held).toEqual([remember, !remember]);
    await page.context().close();
  }
});

test('/ and /login lead who is signed in to /signature', async ({ browser }) => {
  const page = await entered(browser, user.email);
  for (const address of ['', 'login']) {
    await page.goto(`${product.url}/${address}`);
    await expect(page).toHaveURL(`${product.url}/signature`);
  }
  await page.context().close();
});

test('/validate without a document goes to /validateLogin; /account/reset/finish is empty without a key; keys stand in query or path', async ({
  page,
}) => {
  await page.goto(`${product.url}/validate`);
  await expect(page).toHaveURL(`${product.url}/validateLogin`);
  await page.goto(`${product.url}/account/reset/finish`);
  await expect(page.getByLabel('Nova senha')).toHaveCount(0);
  for (const key of ['?key=abc', '/abc']) {
    await page.goto(`${product.url}/account/reset/finish${key}`);
    await expect(page.getByLabel('Nova senha')).toBeVisible();
    await page.goto(`${product.url}/account/activate${key}`);
    await expect(page.getByRole('alert')).toBeVisible();
  }
});

/** What ends in success and leads home: its address, what is typed, what is pressed, and what is told at the end. */
const successes = [
  {
    address: 'account/reset/request',
    typed: [['E-mail', user.email]],
    press: 'Enviar link',
    says: 'Email de recuperação de senha enviado',
  },
  {
    address: 'account/reset/finish?key=abc',
    typed: [
      ['Nova senha', creator.password],
      ['Repita a senha', creator.password],
    ],
    press: 'Salvar senha',
    says: 'Senha recadastrada com sucesso',
  },
  { address: `accept_invite/${someone}?user=u`, typed: [], press: 'Aceitar convite', says: 'Convite aceito.' },
] as const;

/** Timers of 100 ms stand still until they are let go: the wait itself is seen, however fast or slow the machine. */
async function holdRedirects(page: Page): Promise<{ held(): Promise<number>; release(): Promise<void> }> {
  await page.addInitScript(() => {
    const timers: (() => void)[] = [];
    const after = window.setTimeout.bind(window);
    Object.assign(window, {
      timers,
      setTimeout: (act: () => void, ms?: number) => (ms === 100 ? timers.push(act) : after(act, ms)),
    });
  });
  const timers = () => (window as unknown as { timers: (() => void)[] }).timers;
  return {
    held: () => page.evaluate(`(${timers.toString()})().length`),
    release: () => page.evaluate(`(${timers.toString()})().splice(0).forEach((act) => act())`),
  };
}

for (const { address, typed, press, says } of successes)
  test(`a success is left for / after 100 ms, with its message, and what led to it stays shut until then: ${address}`, async ({
    browser,
  }) => {
    const page = await entered(browser, user.email);
    const redirect = await holdRedirects(page);
    await page.route('**/api/account/reset-password/finish', (route) => route.fulfill({ status: 200 }));
    await page.route('**/api/acceptInviteCompany/**', (route) => route.fulfill({ json: { id: someone, name: 'Padaria' } }));
    await page.route(`**/api/company-invitations/${someone}/u`, (route) =>
      route.fulfill({ json: { inviter: 'Ana', companyName: 'Padaria', email: 'u**@exemplo.com.br', langKey: 'pt-br' } }),
    );
    await page.goto(`${product.url}/${address}`);
    for (const [label, value] of typed) await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: press, exact: true }).click();
    await expect.poll(redirect.held).toBe(1);
    await expect(page.getByRole('button', { name: press, exact: true })).toBeDisabled();
    await expect(page).toHaveURL(`${product.url}/${address}`);
    await redirect.release();
    await expect(page.getByText(says)).toBeVisible();
    await expect(page).toHaveURL(`${product.url}/signature`);
    await page.context().close();
  });

test('the menu marks the signature models in their list and on their editor’s own address', async ({ browser }) => {
  const page = await entered(browser, user.email);
  for (const address of ['signature-model', 'register-signature-model']) {
    await page.goto(`${product.url}/${address}`);
    const entry = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Modelos de assinatura' });
    await expect(entry, address).toHaveAttribute('aria-current', /page|true/);
  }
  await page.context().close();
});

test('an unknown address: “The page does not exist.”, and “You are not authorized to access this page.”, exact in English', async ({
  browser,
}) => {
  const page = await entered(browser, user.email);
  await page.goto(`${product.url}/nada/mesmo`);
  await expect(page.getByRole('alert')).toHaveText('A página não existe.');
  await page.locator('header select').selectOption('en');
  await expect(page.getByRole('alert')).toHaveText('The page does not exist.');
  await page.goto(`${product.url}/admin`);
  await expect(page.getByText('You are not authorized to access this page.')).toBeVisible();
  await page.context().close();
});

test('the ribbon is shown when the profile is not production, the footer has the year, ctrl-h does nothing outside development', async ({
  page,
}) => {
  const ribbon = page.getByRole('complementary', { name: /desenvolvimento|teste/i });
  await page.goto(`${product.url}/validateLogin`);
  await expect(ribbon).toBeVisible();
  await expect(page.getByRole('contentinfo')).toHaveText(new RegExp(`© ${new Date().getFullYear()}`));
  await page.keyboard.press('Control+h');
  await expect(page).toHaveURL(`${product.url}/validateLogin`);
  await page.route('**/management/info', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Record<string, unknown>;
    await route.fulfill({ response: answer, json: { ...body, activeProfiles: ['prod'] } });
  });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(ribbon).toHaveCount(0);
});

test('below 720 px the menu folds, from 720 px on it does not', async ({ browser }) => {
  const page = await entered(browser, user.email);
  const fold = page.getByRole('button', { name: 'Menu' });
  await page.setViewportSize({ width: 720, height: 800 });
  await expect(fold).toBeHidden();
  await page.setViewportSize({ width: 719, height: 800 });
  await expect(fold).toBeVisible();
  await page.context().close();
});

test('/prepare takes a navigation’s state under the specification’s names, and /confirm hands it back', async ({ browser }) => {
  const page = await entered(browser, user.email);
  const bytes = Array.from(await makeContract('Locação', 1));
  await page.evaluate((contract) => {
    const files = [new File([new Uint8Array(contract)], 'locacao.pdf', { type: 'application/pdf' })];
    const usr = {
      files,
      title: 'Locação',
      destinatarios: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br', quantity: 2 }],
      stakeholders: [{ name: 'Dora Dias', email: 'dora@exemplo.com.br' }],
      processDeadline: new Date(Date.now() + 10 * 86_400_000).toISOString(),
      reminder: 3,
    };
    history.pushState({ usr, key: 'handed', idx: 1 }, '', '/prepare');
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
  }, bytes);
  await expect(page.getByLabel('Título')).toHaveValue('Locação');
  await expect(page.getByText('locacao.pdf')).toBeVisible();
  await expect(page.getByRole('row', { name: /Bia Lima bia@exemplo\.com\.br/ })).toBeVisible();
  await expect(page.getByLabel('Quantidade de assinaturas de Bia Lima')).toHaveValue('2');
  await expect(page.getByRole('row', { name: /Dora Dias dora@exemplo\.com\.br/ })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Prazo geral' })).toBeChecked();
  await page.getByLabel('Telefone (opcional)').fill('+55 (11) 98765-43210 e mais');
  await expect(page.getByLabel('Telefone (opcional)')).toHaveValue('+55 (11) 98765-43210');
  await addSigner(page, 'Caio Reis', 'caio@exemplo.com.br');
  await expect(page.getByRole('row', { name: /Caio Reis ?\+55 \(11\) 98765-43210/ })).toBeVisible();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await expect(page.getByText('+55 (11) 98765-43210')).toBeVisible();
  await page.getByRole('button', { name: 'Voltar' }).click();
  await page.waitForURL('**/prepare');
  const state = await page.evaluate(() => (history.state as { usr: Record<string, unknown> }).usr);
  expect(state).toMatchObject({
    action: 'returning',
    title: 'Locação',
    files: [{ name: 'locacao.pdf' }],
    destinatarios: [
      { name: 'Bia Lima', email: 'bia@exemplo.com.br', quantity: 2 },
      { name: 'Caio Reis', email: 'caio@exemplo.com.br', quantity: 1 },
    ],
    stakeholders: [{ name: 'Dora Dias', email: 'dora@exemplo.com.br' }],
    reminder: 3,
    individualDeadline: false,
  });
  await expect(page.getByLabel('Título')).toHaveValue('Locação');
  await page.context().close();
});

test('/confirm with a draft that is not here any more leads to the list, and says no fault', async ({ browser }) => {
  const page = await entered(browser, user.email);
  await page.evaluate(() => {
    history.pushState({ usr: { draftId: crypto.randomUUID() }, key: 'gone', idx: 1 }, '', '/confirm');
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
  });
  await expect(page).toHaveURL(`${product.url}/signature`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Suas assinaturas');
  await page.context().close();
});
