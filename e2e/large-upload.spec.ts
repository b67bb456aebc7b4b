import { expect, test } from '@playwright/test';
import { makeHeavy } from './documents.ts';
import { addSigner, expectNoFaults, newPerson, phone, registerFirstAccount, signIn, watchServer } from './people.ts';
import { type Product, startProduct } from './product.ts';

const PIECE = 2 * 1024 * 1024;

let product: Product;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await newPerson(browser);
  await registerFirstAccount(product, page);
  await page.context().close();
});
test.afterAll(() => product.stop());
test.afterEach(expectNoFaults);

test('a large file on a telephone whose line breaks goes on where it stopped, also when its page was loaded anew', async ({ browser }) => {
  const page = await newPerson(browser, { viewport: phone });
  const context = page.context();
  watchServer(page);
  await signIn(product, page);
  const buffer = await makeHeavy('Planta', 6 * PIECE);
  await page.setInputFiles('input[type=file]', { name: 'planta.pdf', mimeType: 'application/pdf', buffer });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Joana Sá', 'joana@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();

  /** Where each piece that arrived begins. */
  const arrived: number[] = [];
  page.on('response', (response) => {
    const from = /\/api\/uploads\/.*from=(\d+)/.exec(response.url())?.[1];
    if (from !== undefined && response.ok()) arrived.push(Number(from) / PIECE);
  });
  const cut = new Set([2]);
  let isLeft = false;
  const broken = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  await page.route('**/api/uploads/**', async (route) => {
    const from = Number(/from=(\d+)/.exec(route.request().url())?.[1] ?? -1) / PIECE;
    if (from === 4 && !isLeft) {
      isLeft = true;
      left.resolve();
    }
    // The page hangs here until it is loaded anew.
    if (isLeft) return void (await route.abort('connectionreset'));
    if (cut.delete(from)) {
      await context.setOffline(true);
      await route.abort('internetdisconnected');
      return void broken.resolve();
    }
    await route.continue();
  });
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await broken.promise;
  await expect(page.getByText('Sem conexão. O envio continua de onde parou assim que ela voltar.')).toBeVisible();
  await context.setOffline(false);
  await left.promise;
  await page.reload();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: /^Enviar para/ }).click();
  await page.waitForURL('**/signature');
  expect(arrived).toEqual([0, 1, 2, 3, 4, 5]);
  await expect(page.getByText('planta').first()).toBeVisible();
  await context.close();
});
