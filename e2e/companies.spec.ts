import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import {
  addSigner,
  createPlainProcess,
  creator,
  expectNoFaults,
  newPerson,
  phone,
  registerFirstAccount,
  signIn,
  submitCreation,
  watchServer,
} from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

const bia = { name: 'Bia', email: 'bia@padaria.com.br', password: 'Jardim-7-azul' };

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

test('a company is created, its retention and looks are set, and a pasted list invites people, who register, accept, get roles and are removed', async ({
  page,
  browser,
}) => {
  await signIn(product, page);
  await makeCompany(page);
  await setLooks(page);
  await invite(page);
  const company = page.url();
  const link = await mailedLink(product, bia.email, 'Padaria São Bento');
  const member = await newPerson(browser);
  await registerFirst(member, link);
  await refused(page, link, 'Este convite é para b**@padaria.com.br.');
  await join(member, link);
  await refused(member, link, 'Este convite já foi usado');
  await refused(member, link.replace(/user=.*/, 'user=outra'), 'Este convite não existe.');
  await createPlainProcess(product, member, 'Recibo', [['Carla', 'carla@cliente.com.br']]);
  await cancelOne(member);
  await sendWithOwnDeadlines(member);

  await page.goto(company);
  await changeRoles(page);
  await expectAccessible(page, 'company');
  await readProcesses(page);
  await removeMember(page);
  await member.goto(company);
  await expect(member.getByText('Empresa não encontrada.')).toBeVisible();
  await member.context().close();
});

async function makeCompany(page: Page): Promise<void> {
  await page.goto(`${product.url}/account`);
  await page.getByRole('link', { name: 'Criar empresa' }).click();
  await expect(page.getByRole('heading', { name: 'Criar empresa' })).toBeVisible();
  await page.getByLabel('Nome', { exact: true }).fill('Padaria São Bento');
  await page.getByLabel('CNPJ').fill('12abc34501de36');
  await page.getByRole('button', { name: 'Criar empresa' }).click();
  await expect(page.getByText('Este CNPJ não existe.')).toBeVisible();
  await page.getByLabel('CNPJ').fill('12abc34501de35');
  await expect(page.getByLabel('CNPJ')).toHaveValue('12.ABC.345/01DE-35');
  await expectAccessible(page, 'company-new');
  await page.getByRole('button', { name: 'Criar empresa' }).click();
  await expect(page.getByRole('heading', { name: 'Padaria São Bento' })).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(`${creator.email}.*Administrador`) })).toBeVisible();
  await page.getByLabel('Máximo de dias de guarda').fill('0');
  await page.getByLabel('Tamanho máximo de documento').fill('20');
  const retention = page.getByRole('region', { name: 'Política de retenção' });
  await retention.getByRole('button', { name: 'Salvar' }).click();
  await expect(retention.getByText('Digite um número inteiro de 1 a')).toBeVisible();
  await page.getByLabel('Máximo de dias de guarda').fill('365');
  await retention.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Valores salvos com sucesso!').first()).toBeVisible();
}

async function invite(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('Adicione ao menos um email para enviar convite')).toBeVisible();
  await page.getByLabel('E-mails', { exact: true }).fill(`Bia <${bia.email}>; dora@padaria.com.br, ana@gmail.com`);
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('não de um provedor gratuito')).toBeVisible();
  await expect(page.getByLabel('E-mails', { exact: true })).toHaveValue('ana@gmail.com');
  await page.getByLabel('E-mails', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('Convites enviados com sucesso').first()).toBeVisible();
  await expect(page.getByRole('cell', { name: 'dora@padaria.com.br', exact: true })).toBeVisible();
}

/** The invitation waits for whoever has no account yet: registered and activated by mail, it opens. */
async function registerFirst(member: Page, link: string): Promise<void> {
  await refused(member, link, 'Para aceitar o convite, crie antes a sua conta com o e-mail b**@padaria.com.br.');
  await member.getByRole('link', { name: 'Criar minha conta' }).click();
  await member.getByLabel('Nome', { exact: true }).fill(bia.name);
  await member.getByLabel('E-mail').fill(bia.email);
  await member.getByLabel('Nova senha').fill(bia.password);
  await member.getByLabel('Repita a senha').fill(bia.password);
  await member.getByRole('button', { name: 'Criar conta' }).click();
  await expect(member.getByText('Enviamos um link')).toBeVisible();
  await member.goto(await mailedLink(product, bia.email, '/account/activate'));
  await expect(member.getByText('Sua conta está ativa.')).toBeVisible();
}

/** From the invitation to the sign-in and back to it; accepting is a press of its own. */
async function join(member: Page, link: string): Promise<void> {
  await member.goto(link);
  await expect(member.getByText('Ana convidou b**@padaria.com.br a participar da empresa “Padaria São Bento”.')).toBeVisible();
  await member.getByRole('link', { name: 'Entrar para aceitar' }).click();
  await member.getByLabel('E-mail').fill(bia.email);
  await member.getByLabel('Senha', { exact: true }).fill(bia.password);
  await member.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect(member.getByRole('button', { name: 'Aceitar convite' })).toBeVisible();
  await expectAccessible(member, 'invitation');
  const accept = member.getByRole('button', { name: 'Aceitar convite' });
  await member.route('**/api/acceptInviteCompany/**', (route) => route.abort(), { times: 1 });
  await accept.click();
  await expect(member.getByRole('alert').getByText('Não conseguimos falar com o servidor.')).toBeVisible();
  await accept.click();
  await expect(member.getByText('Convite aceito.')).toBeVisible();
}

/** What the page says of an invitation that cannot be accepted, at once or when it is tried. */
async function refused(page: Page, link: string, sentence: string): Promise<void> {
  await page.goto(link);
  const accept = page.getByRole('button', { name: 'Aceitar convite' });
  await expect(page.getByText(sentence).or(accept)).toBeVisible();
  if (await accept.isVisible()) await accept.click();
  await expect(page.getByText(sentence)).toBeVisible();
}

async function changeRoles(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mais opções: Ana' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Sair da empresa']);
  await page.keyboard.press('Escape');
  await act(page, 'Tornar administrador', 'Bia agora administra a empresa.');
  await expect(page.getByRole('row', { name: new RegExp(`${bia.email}.*Administrador`) })).toBeVisible();
  await act(page, 'Tornar usuário', 'Bia agora é usuário.');
  await expect(page.getByRole('row', { name: new RegExp(`${bia.email}.*Usuário`) })).toBeVisible();
}

/** Of Bia's row, with its confirmation. */
async function act(page: Page, name: string, told: string): Promise<void> {
  await page.getByRole('button', { name: 'Mais opções: Bia' }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('dialog', { name }).getByRole('button', { name, exact: true }).click();
  await expect(page.getByText(told).first()).toBeVisible();
}

/** One that nobody came to sign. */
async function cancelOne(member: Page): Promise<void> {
  await createPlainProcess(product, member, 'Desistência', [
    ['Davi', 'davi@cliente.com.br'],
    ['Elis', 'elis@cliente.com.br'],
  ]);
  await member.getByRole('link', { name: 'Desistência', exact: true }).click();
  await member.getByRole('button', { name: 'Cancelar processo' }).click();
  await member.getByRole('dialog').getByRole('button', { name: 'Cancelar processo' }).click();
  await expect(member.getByText('Bia cancelou este processo')).toBeVisible();
}

async function readProcesses(page: Page): Promise<void> {
  await page.getByRole('row', { name: bia.email }).getByRole('link', { name: 'Ver processos' }).click();
  await expect(page.getByRole('heading', { name: bia.name })).toBeVisible();
  await page.getByRole('button', { name: 'Mostrar signatários de Recibo' }).click();
  await expect(page.getByRole('cell', { name: 'carla@cliente.com.br' })).toBeVisible();
  const ofProcess = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await expect(ofProcess('Recibo').getByText('sem prazo')).toBeVisible();
  await expect(ofProcess('Aluguel').getByText('Por pessoa')).toBeVisible();
  await expectAccessible(page, 'member');
  await page.screenshot({ path: 'test-results/shots/member.png', fullPage: true });
  await page.setViewportSize(phone);
  await page.screenshot({ path: 'test-results/shots/member-phone.png', fullPage: true });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Esconder signatários de Recibo' }).click();
  await expect(page.getByRole('cell', { name: 'carla@cliente.com.br' })).toBeHidden();
  // Nobody is waited for in what has ended.
  await page.getByRole('button', { name: 'Mostrar signatários de Desistência' }).click();
  await expect(page.getByRole('cell', { name: 'Não chegou a assinar' })).toHaveCount(2);
  await page.getByRole('link', { name: 'Voltar à empresa' }).click();
}

async function sendWithOwnDeadlines(page: Page): Promise<void> {
  await page.goto(`${product.url}/signature`);
  const buffer = await makeContract('Aluguel', 1);
  await page.setInputFiles('input[type=file]', { name: 'Aluguel.pdf', mimeType: 'application/pdf', buffer });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Carla', 'carla@cliente.com.br');
  await page.getByLabel('Prazo individual por signatário').check();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await submitCreation(page);
}

async function removeMember(page: Page): Promise<void> {
  await act(page, 'Remover da empresa', 'Usuário excluído com sucesso');
  await expect(page.getByRole('row', { name: bia.email })).toBeHidden();
}

/** Colours are shown as they will be read; what is no picture is no logo. */
async function setLooks(page: Page): Promise<void> {
  const data = page.getByRole('region', { name: 'Dados da empresa' });
  await data.getByLabel('Cor do cabeçalho').fill('#7A1F3D');
  await data.getByLabel('Cor dos botões').fill('#F2C14E');
  await data.getByRole('button', { name: 'Salvar' }).click();
  await expect(page.getByText('Alterações salvas.').first()).toBeVisible();
  await data.getByLabel('Logotipo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('none') });
  await expect(data.getByText('Este arquivo não serve de logotipo.')).toBeVisible();
  await data
    .getByLabel('Logotipo')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await page.locator('.brand').screenshot() });
  await expect(data.getByRole('img', { name: 'Logotipo de Padaria São Bento' })).toBeVisible();
}
