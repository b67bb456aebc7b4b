import { expect, type Page, type Route, test } from '@playwright/test';
import { TOTP } from 'otpauth';
import { makeContract } from './documents.ts';
import {
  addSigner,
  chooseTyped,
  createPlainProcess,
  creator,
  expectNoFaults,
  fillPerson,
  newPerson,
  openSignature,
  place,
  pressSign,
  registerFirstAccount,
  signIn,
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

/** The server does what it is asked, and its answer does not come back. */
async function loseAnswer(route: Route): Promise<void> {
  expect((await route.fetch()).ok()).toBe(true);
  await route.abort();
}

/** What is asked at these addresses waits at the door until it is let in. */
async function hold(page: Page, addresses: string | RegExp): Promise<{ waits: Promise<unknown>; letIn(): void }> {
  let letIn = () => {};
  const isLetIn = new Promise<void>((resolve) => (letIn = resolve));
  const waits = page.waitForRequest(addresses);
  // Whoever asked may be gone by then.
  await page.route(addresses, (route) => isLetIn.then(() => route.continue()).catch(() => {}));
  return { waits, letIn: () => letIn() };
}

test('a signature whose answer was lost is told as what it is: made', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Resposta perdida', [
    ['Eva Ramos', 'eva@exemplo.com.br'],
    ['Fábio Melo', 'fabio@exemplo.com.br'],
  ]);
  const eva = await newPerson(browser, { geolocation: place, permissions: ['geolocation'] });
  await openSignature(eva, await mailedLink(product, 'eva@exemplo.com.br', 'Resposta perdida'));
  await fillPerson(eva);
  await chooseTyped(eva);
  await eva.route('**/api/initEletronicSignature', loseAnswer);
  await pressSign(eva);
  await expect(eva.getByRole('heading', { name: 'Assinatura concluída. Obrigado!' })).toBeVisible();
  await expect(eva.getByText('1 de 2 assinaram')).toBeVisible();
  await expect(eva.getByRole('dialog')).toHaveCount(0);
  await eva.context().close();
});

test('a refusal whose answer was lost is told as what it is: registered', async ({ page, browser }) => {
  await createPlainProcess(product, page, 'Recusa perdida', [['Gil Prado', 'gil@exemplo.com.br']]);
  const gil = await newPerson(browser);
  await openSignature(gil, await mailedLink(product, 'gil@exemplo.com.br', 'Recusa perdida'));
  await gil.getByRole('button', { name: 'Rejeitar Assinatura' }).click();
  await gil.getByLabel('Justificativa').fill('Valor diferente do combinado.');
  await gil.route('**/createSignatureRejected', loseAnswer);
  await gil.getByRole('button', { name: 'Enviar recusa' }).click();
  await expect(gil.getByText('Sua recusa foi registrada')).toBeVisible();
  await expect(gil.getByRole('dialog')).toHaveCount(0);
  await gil.context().close();
});

test('who goes back while a process is being sent has it not sent, is told so, and sends it later as it is then', async ({ page }) => {
  await page.setInputFiles('input[type=file]', { name: 'Volta.pdf', mimeType: 'application/pdf', buffer: await makeContract('Volta', 1) });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Caio Lima', 'caio@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const upload = await hold(page, '**/api/documents');
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await upload.waits;
  await page.goBack();
  await page.waitForURL('**/prepare');
  await expect(page.getByText('O envio parou antes de chamar alguém.').first()).toBeVisible();
  upload.letIn();
  await expect(page.getByLabel('Título')).toHaveValue('Volta');
  await page.getByLabel('Título').fill('Volta corrigida');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await page.waitForURL('**/signature');
  await expect(page.getByRole('link', { name: 'Volta corrigida', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Volta', exact: true })).toHaveCount(0);
  expect(asked.filter((path) => path.endsWith('/start'))).toHaveLength(1);
});

test('who goes back once it can no longer be stopped is told that it was sent, and is not offered to send it again', async ({ page }) => {
  await page.setInputFiles('input[type=file]', { name: 'Tarde.pdf', mimeType: 'application/pdf', buffer: await makeContract('Tarde', 1) });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Dora Pinto', 'dora@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  const start = await hold(page, '**/start');
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await start.waits;
  await page.goBack();
  await page.waitForURL('**/prepare');
  start.letIn();
  await page.waitForURL('**/signature');
  await expect(page.getByText('Processo criado').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Tarde', exact: true })).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Continuar de onde parou' })).toHaveCount(0);
});

test('who cancels at the process’s own page is told that it is done, also where the page hears of the end before', async ({ page }) => {
  await createPlainProcess(product, page, 'Cancelado aqui', [['Davi Lima', 'davi@exemplo.com.br']]);
  await page.getByRole('link', { name: 'Cancelado aqui', exact: true }).click();
  await page.getByRole('button', { name: 'Cancelar processo' }).click();
  await page.route('**/cancelProcess/**', async (route) => {
    const answer = await route.fetch();
    await expect(page.locator('.process-head').getByText('Cancelado', { exact: true })).toBeVisible({ timeout: 30_000 });
    await route.fulfill({ response: answer });
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar processo' }).click();
  await expect(page.getByRole('dialog', { name: 'Processo cancelado - mensagem enviada!' })).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Cancelar processo' })).toHaveCount(0);
});

async function ask(page: Page, method: string, path: string, body?: object): Promise<{ status: number; json: Record<string, unknown> }> {
  return page.evaluate(
    async (asked) => {
      const headers = { authorization: `Bearer ${sessionStorage.getItem('jhi-authenticationToken')}`, 'content-type': 'application/json' };
      const answer = await fetch(`/api/${asked.path}`, {
        method: asked.method,
        headers,
        ...(asked.body ? { body: JSON.stringify(asked.body) } : {}),
      });
      return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
    },
    { method, path, body },
  );
}

test('in a company’s forms what somebody else has changed meanwhile is followed and not saved over; whoever is added while invitations go out is kept', async ({
  page,
}) => {
  await page.goto(`${product.url}/your_company/new`);
  await page.getByLabel('Nome', { exact: true }).fill('Padaria São Bento');
  await page.getByRole('button', { name: 'Criar empresa' }).click();
  await expect(page.getByRole('heading', { name: 'Padaria São Bento' })).toBeVisible();
  const path = `companies/${page.url().split('/').pop()}`;
  await page.getByPlaceholder('#0F5A54').first().fill('#123456');
  await page.getByLabel('Máximo de dias de guarda').fill('365');
  const { version } = (await ask(page, 'GET', path)).json;
  const elsewhere = { id: path.split('/')[1], name: 'Padaria Nova', maxTime: 30, maxDocSize: 20, version };
  expect((await ask(page, 'PATCH', path, elsewhere)).status).toBe(200);

  const emails = page.getByLabel('E-mails', { exact: true });
  const chosen = page.getByRole('list', { name: 'E-mails a convidar' });
  const invitation = await hold(page, '**/api/InviteCompany');
  await emails.fill('um@padaria.com.br');
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await invitation.waits;
  await emails.fill('dois@padaria.com.br');
  await emails.blur();
  await expect(chosen.getByText('dois@padaria.com.br')).toBeVisible();
  invitation.letIn();
  await expect(page.getByText('Convites enviados com sucesso').first()).toBeVisible();
  await expect(chosen.getByRole('listitem')).toHaveText(['dois@padaria.com.br']);

  await expect(page.getByRole('heading', { name: 'Padaria Nova' })).toBeVisible();
  await expect(page.getByLabel('Nome', { exact: true })).toHaveValue('Padaria Nova');
  await expect(page.getByPlaceholder('#0F5A54').first()).toHaveValue('#123456');
  await expect(page.getByLabel('Máximo de dias de guarda')).toHaveValue('365');
  await page.getByRole('region', { name: 'Dados da empresa' }).getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Alterações salvas.').first()).toBeVisible();
  await page.getByRole('region', { name: 'Política de retenção' }).getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Valores salvos com sucesso!').first()).toBeVisible();
  expect((await ask(page, 'GET', path)).json).toMatchObject({ name: 'Padaria Nova', brandColor: '#123456', maxTime: 365, maxDocSize: 20 });
});

test('who goes on while a process is being repeated is not fetched back; what is typed while a password is saved stays', async ({
  page,
}) => {
  await createPlainProcess(product, page, 'Repetido tarde', [['Hugo Reis', 'hugo@exemplo.com.br']]);
  await page.getByRole('link', { name: 'Repetido tarde', exact: true }).click();
  await page.getByRole('button', { name: 'Cancelar processo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar processo' }).click();
  const template = await hold(page, '**/template');
  await page.getByRole('button', { name: 'Corrigir e reenviar' }).click();
  await template.waits;
  await page.getByRole('link', { name: 'Assinaturas', exact: true }).click();
  await page.waitForURL('**/signature');
  const original = page.waitForResponse('**/api/download/**');
  template.letIn();
  await (await original).finished();
  // By then it would have gone.
  await page.waitForTimeout(1500);
  await expect(page).toHaveURL(/\/signature$/);

  await page.goto(`${product.url}/account/password`);
  const current = page.getByLabel('Senha atual', { exact: true });
  await current.fill(creator.password);
  for (const label of ['Nova senha', 'Repita a senha']) await page.getByLabel(label).fill(creator.password);
  const change = await hold(page, '**/api/account/change-password');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await change.waits;
  await current.fill('a-seguinte');
  change.letIn();
  await expect(page.getByText('Senha alterada.')).toBeVisible();
  await expect(current).toHaveValue('a-seguinte');
  await expect(page.getByLabel('Nova senha')).toHaveValue('');
});

test('backup codes are in sight as soon as they were made, however long the page takes to read what else has changed', async ({ page }) => {
  await page.goto(`${product.url}/account/second-factor`);
  await page.getByRole('button', { name: 'Configurar aplicativo autenticador' }).click();
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByText('Não consigo ler o desenho').click();
  const app = new TOTP({ secret: (await page.locator('.totp-secret').innerText()).replaceAll(' ', '') });
  const reading = await hold(page, '**/api/account/second-factors');
  await page.getByLabel('Código do aplicativo').fill(app.generate());
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await reading.waits;
  await expect(page.locator('.backup-codes li')).toHaveCount(10);
  reading.letIn();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Remover o aplicativo' }).click();
  await page.getByRole('dialog').getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('button', { name: 'Configurar aplicativo autenticador' })).toBeVisible();
});

test('a form shows the record of its address; who leaves while it is saved stays where they went, and is told; a contract is saved once', async ({
  page,
}) => {
  for (const name of ['Alfa', 'Beta']) expect((await ask(page, 'POST', 'contract-types', { name })).status).toBe(201);
  await page.goto(`${product.url}/contract-type`);
  const name = page.getByLabel('Nome', { exact: true });
  await page.getByRole('link', { name: 'Editar Alfa' }).click();
  await expect(name).toHaveValue('Alfa');
  await page.getByRole('button', { name: 'Voltar' }).click();
  await page.getByRole('link', { name: 'Editar Beta' }).click();
  await expect(name).toHaveValue('Beta');
  await page.evaluate(() => history.go(-2));
  await expect(name).toHaveValue('Alfa');

  await name.fill('Gama');
  const saving = await hold(page, '**/api/contract-types/*');
  await page.getByRole('button', { name: 'Salvar' }).click();
  await saving.waits;
  await page.getByRole('link', { name: 'Assinaturas', exact: true }).click();
  await page.waitForURL('**/signature');
  saving.letIn();
  await expect(page.getByText('Alterações salvas.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/signature$/);

  await page.goto(`${product.url}/contract/new`);
  await page.getByLabel('Tipo de contrato').selectOption('Gama');
  await page.getByLabel('Pessoa (e-mail da conta)').fill(creator.email);
  const search = await hold(page, /_search\/.*size=200&sort=email/);
  const save = page.getByRole('button', { name: 'Salvar' });
  await save.click();
  await search.waits;
  await expect(save).toBeDisabled();
  search.letIn();
  await page.waitForURL('**/contract');
  await expect(page.getByRole('link', { name: /^Editar/ })).toHaveCount(1);
});
