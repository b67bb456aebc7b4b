import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { createPlainProcess, creator, expectNoFaults, newPerson, phone, registerFirstAccount, signIn, watchServer } from './people.ts';
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

test('a company is created, its people are invited by a pasted list, one joins, sends a process that is seen, and is removed', async ({
  page,
  browser,
}) => {
  await signIn(product, page);
  await makeCompany(page);
  await invite(page);
  await expectAccessible(page, 'company');

  const guest = await newPerson(browser);
  await join(guest);
  await createPlainProcess(product, guest, 'Fornecimento', [['Caio Reis', 'caio@exemplo.com.br']]);

  await page.reload();
  await page.getByRole('row', { name: /Bia/ }).getByRole('link', { name: 'Ver processos' }).click();
  await expect(page.getByRole('heading', { name: 'Bia' })).toBeVisible();
  await page.getByRole('button', { name: /Mostrar signatários/ }).click();
  await expect(page.getByRole('cell', { name: 'caio@exemplo.com.br' })).toBeVisible();
  await expectAccessible(page, 'company-member');
  await page.getByRole('link', { name: 'Voltar à empresa' }).click();

  await chooseFor(page, 'Tornar administrador');
  await expect(page.getByText('Bia agora administra a empresa.').first()).toBeVisible();
  await expect(page.getByRole('row', { name: /Bia.*Administrador/ })).toBeVisible();
  await page.setViewportSize(phone);
  await chooseFor(page, 'Remover da empresa');
  await expect(page.getByText('Usuário excluído com sucesso').first()).toBeVisible();
  await expect(page.getByText(bia.email)).toHaveCount(0);
  await guest.context().close();
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
  await page.getByLabel('Emails', { exact: true }).fill(`Bia <${bia.email}>; dora@padaria.com.br, ana@gmail.com`);
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('não de um provedor gratuito')).toBeVisible();
  await expect(page.getByLabel('Emails', { exact: true })).toHaveValue('ana@gmail.com');
  await page.getByLabel('Emails', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Enviar convites' }).click();
  await expect(page.getByText('Convites enviados com sucesso').first()).toBeVisible();
  await expect(page.getByRole('cell', { name: 'dora@padaria.com.br', exact: true })).toBeVisible();
}

/** The invited address has no account yet: the link leads to the registration, and then to the company. */
async function join(guest: Page): Promise<void> {
  const link = await mailedLink(product, bia.email, 'Convite para participar de uma empresa no Lavra');
  await guest.goto(link);
  await expect(guest.getByText('Para aceitar o convite, crie antes a sua conta')).toBeVisible();
  await expectAccessible(guest, 'company-invitation-register');
  await guest.getByRole('link', { name: 'Criar minha conta' }).click();
  await guest.getByLabel('Nome', { exact: true }).fill(bia.name);
  await guest.getByLabel('E-mail').fill(bia.email);
  await guest.getByLabel('Nova senha').fill(bia.password);
  await guest.getByLabel('Repita a senha').fill(bia.password);
  await guest.getByRole('button', { name: 'Criar conta' }).click();
  await guest.goto(await mailedLink(product, bia.email, 'Confirme seu e-mail no Lavra'));
  await expect(guest.getByText(/Conta ativada|Conta confirmada|ativada/i).first()).toBeVisible();
  await guest.goto(link);
  await expect(guest.getByText('Padaria São Bento')).toBeVisible();
  await expectAccessible(guest, 'company-invitation');
  await guest.getByRole('link', { name: 'Entrar para aceitar' }).click();
  await guest.getByLabel('E-mail').fill(bia.email);
  await guest.getByLabel('Senha', { exact: true }).fill(bia.password);
  await guest.getByRole('button', { name: 'Entrar', exact: true }).click();
  await guest.getByRole('button', { name: 'Aceitar convite' }).click();
  await expect(guest.getByText('Convite aceito.')).toBeVisible();
}

async function chooseFor(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: 'Mais opções: Bia' }).click();
  await page.getByRole('menuitem', { name: act }).click();
  await page.getByRole('dialog').getByRole('button', { name: act }).click();
}
