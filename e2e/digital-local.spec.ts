import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { localSignerPorts } from '@lavra/api';
import { expectAccessible } from './axe.ts';
import { chooseType, invite } from './digital.ts';
import { type MakeBelieveSigner, startMakeBelieveSigner } from './make-believe-signer.ts';
import { expectNoFaults, newPerson, openSignature, registerFirstAccount, watchServer } from './people.ts';
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

test('Lavra Signer: asked on a click alone, how to install it, its refusal, giving up, and the signature', async ({ page, browser }) => {
  const link = await invite(product, page, 'Contrato com token', 'Dora Lima', 'dora@exemplo.com.br', '315.171.913-94');
  const dora = await newPerson(browser);
  // A true Lavra Signer of this machine stays out of it: it would be on the first port.
  await dora.route('http://127.0.0.1:35917/**', (route) => route.abort());
  const asked: string[] = [];
  dora.on('request', (request) => {
    if (request.url().startsWith('http://127.0.0.1:3591')) asked.push(request.url());
  });
  await openSignature(dora, link);
  await dora.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(dora, '315.171.913-94', /Token ou cartão/);
  await dora.getByRole('button', { name: 'Continuar' }).click();
  await expect(dora.getByText('Conecte o token ou o cartão')).toBeVisible();
  expect(asked).toEqual([]);
  await expectAccessible(dora, 'digital-local');

  await dora.getByRole('button', { name: 'Assinar com o Lavra Signer' }).click();
  await expect(dora.getByText('O Lavra Signer não está aberto neste computador.')).toBeVisible();
  expect(asked).toHaveLength(3);
  for (const system of ['Windows', 'macOS', 'Linux', 'Celular ou tablet']) {
    await dora.getByLabel('Sistema').selectOption(system);
    await expect(dora.locator('.install-help li')).toHaveCount(3);
  }
  await expectAccessible(dora, 'digital-local-install');

  const file = join(product.dataDir, 'development', 'certificados', 'dora-a1.p12');
  const signer = await startMakeBelieveSigner(file, 'faz-de-conta');
  try {
    const again = dora.getByRole('button', { name: 'Tentar de novo' });
    const heardDocuments = () => signer.heard.filter((body) => body.includes('request')).length;
    signer.protocol = 1;
    await again.click();
    await expect(dora.getByText('é de outra versão e não entende mais esta página')).toBeVisible();
    signer.protocol = 2;

    // First use: the code is compared, and nothing of the process is handed over before.
    await again.click();
    await expect(dora.getByRole('radio')).toHaveCount(4);
    await expect(dora.getByText('É a primeira vez que esta página usa')).toBeFocused();
    await dora.getByRole('button', { name: 'É este' }).click();
    await expect(dora.getByText('Escolha o código que a janela mostra.')).toBeVisible();
    await expectAccessible(dora, 'digital-local-code');
    await dora.getByRole('button', { name: 'Nenhum destes' }).click();
    await expect(dora.getByText('O código não confere')).toBeVisible();
    await again.click();
    await dora.getByRole('radio').first().waitFor();
    const others = (await dora.getByRole('radio').all()).map((radio) => radio.locator('..').textContent());
    const decoy = (await Promise.all(others)).find((code) => code !== signer.code) ?? '';
    await dora.getByText(decoy).click();
    await dora.getByRole('button', { name: 'É este' }).click();
    await expect(dora.getByText('O código não confere')).toBeVisible();
    expect(heardDocuments()).toBe(0);
    await again.click();
    await dora.getByRole('radio').first().waitFor();
    await dora.getByText(signer.code).click();
    await dora.getByRole('button', { name: 'É este' }).click();
    signer.person = 'PIN_LOCKED';
    await expect(dora.getByText('O PIN está bloqueado.')).toBeVisible();
    expect(heardDocuments()).toBe(1);

    // Another program in its place is told, and gets nothing until the person compares again.
    signer.changeKey();
    await again.click();
    await expect(dora.getByText('não é o Lavra Signer que esta página conhece')).toBeVisible();
    await expectAccessible(dora, 'digital-local-changed');
    expect(heardDocuments()).toBe(1);
    signer.person = 'waits';
    await dora.getByRole('button', { name: 'Comparar o código de novo' }).click();
    await dora.getByRole('radio').first().waitFor();
    await dora.getByText(signer.code).click();
    await dora.getByRole('button', { name: 'É este' }).click();
    signer.person = 'PIN_LOCKED';
    await expect(dora.getByText('O PIN está bloqueado.')).toBeVisible();

    await amongTwo(dora, signer, file);

    signer.person = 'waits';
    await again.click();
    await expect(dora.getByText('Olhe a janela do Lavra Signer: ela mostra o mesmo código')).toBeVisible();
    await expect(dora.getByText(signer.code)).toBeVisible();
    const before = signer.deleted.length;
    await dora.getByRole('button', { name: 'Cancelar' }).click();
    await expect.poll(() => signer.deleted.length).toBe(before + 1);

    signer.person = 'agrees';
    await dora.getByRole('button', { name: 'Assinar com o Lavra Signer' }).click();
    await expect(dora.getByText('Assinatura concluída')).toBeVisible({ timeout: 60_000 });
  } finally {
    await signer.close();
  }
  await dora.context().close();
});

/** An impostor sits on another port: the page asks both, finds its own by the code, then by its key, and the other one gets nothing. */
async function amongTwo(page: Page, signer: MakeBelieveSigner, file: string): Promise<void> {
  const impostor = await startMakeBelieveSigner(file, 'faz-de-conta', localSignerPorts[2]);
  try {
    const requests = ({ heard }: MakeBelieveSigner) => heard.filter((body) => body.includes('request')).length;
    const before = requests(signer);
    signer.person = 'waits';
    await page.evaluate(() => localStorage.removeItem('lavra-signer-key'));
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await page.getByRole('radio').first().waitFor();
    await expect(page.getByText(impostor.code)).toBeVisible();
    await page.getByText(signer.code).click();
    await page.getByRole('button', { name: 'É este' }).click();
    signer.person = 'PIN_LOCKED';
    await expect(page.getByText('O PIN está bloqueado.')).toBeVisible();
    expect(requests(signer)).toBe(before + 1);
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await expect.poll(() => requests(signer)).toBe(before + 2);
    await expect(page.getByText('O PIN está bloqueado.')).toBeVisible();
    // One that falls silent keeps nobody from the true one.
    impostor.silent = true;
    await page.getByRole('button', { name: 'Tentar de novo' }).click();
    await expect.poll(() => requests(signer), { timeout: 30_000 }).toBe(before + 3);
    await expect(page.getByText('O PIN está bloqueado.')).toBeVisible();
    expect(requests(impostor)).toBe(0);
  } finally {
    await impostor.close();
  }
}
