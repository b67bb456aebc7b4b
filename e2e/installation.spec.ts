import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { creator, expectNoFaults, newPerson, registerFirstAccount, signIn, watchServer } from './people.ts';
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

async function openRoom(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Áreas da administração' }).getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

test('an administrator looks after the installation: health and trials, charts, program, jobs, certificates, log, configuration', async ({
  page,
}) => {
  await signIn(product, page);
  await page.goto(`${product.url}/admin/health`);
  await expect(page.getByRole('row', { name: /Banco de dados Funciona/ })).toBeVisible();
  await page.getByRole('button', { name: 'Enviar e-mail de teste' }).click();
  await expect(page.getByText(`O servidor aceitou a mensagem para ${creator.email}`)).toBeVisible();
  await page.getByRole('button', { name: 'Verificar agora' }).click();
  await expect(page.getByText('O armazenamento funciona')).toBeVisible();
  expect((await product.mails(creator.email)).map(({ subject }) => subject)).toContain('Teste de e-mail do Lavra');

  await openRoom(page, 'Métricas');
  await expect(page.locator('.chart canvas')).toHaveCount(4);
  await expect(page.getByRole('row', { name: /POST \/api\/admin\/test-mail/ })).toBeVisible();
  await expectAccessible(page, 'admin-metrics');

  await openRoom(page, 'Programa');
  await expect(page.getByRole('row', { name: /main \d+ Trabalhando/ })).toBeVisible();
  await openRoom(page, 'Tarefas');
  await expect(page.getByText('Todos os processos seguem.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Enviar e-mail send-mail/ })).toBeVisible();

  await openRoom(page, 'Certificados');
  await expect(page.getByText('Nenhum certificado vence nos próximos 60 dias.')).toBeVisible();
  await page.setInputFiles('input[type=file]', { name: 'lista.zip', mimeType: 'application/zip', buffer: Buffer.from('<html></html>') });
  await expect(page.getByText('Este arquivo não pode ser lido.')).toBeVisible();
  await expectAccessible(page, 'admin-certificates');

  await openRoom(page, 'Registro');
  await page.getByLabel('Nível de Tarefas').selectOption('DEBUG');
  await page.getByRole('button', { name: 'Mudar o nível de Tarefas' }).click();
  await expect(page.getByRole('row', { name: /Tarefas jobs DEBUG/ })).toBeVisible();
  await openRoom(page, 'Configuração');
  await expect(page.getByRole('row', { name: /LAVRA_LOG_LEVEL warn/ })).toBeVisible();
});
