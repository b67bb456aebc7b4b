import { expect, type Page, type Route, test } from '@playwright/test';
import { chooseType, invite } from './digital.ts';
import { makeContract } from './documents.ts';
import {
  addSigner,
  createPlainProcess,
  expectNoFaults,
  newPerson,
  openSignature,
  phone,
  registerFirstAccount,
  signIn,
  watchServer,
} from './people.ts';
import { type Product, startProduct } from './product.ts';

/** The state machines of the digital dialog and of placing boxes, with a true page around them. */
const carlos = '111.444.777-35';

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

/** Holds a call back until the test lets it go; `asked`: how often it came. */
async function hold(page: Page, path: string) {
  const held: Route[] = [];
  await page.route(`**/${path}`, (route) => void held.push(route));
  return {
    asked: () => held.length,
    /** The server's true answer comes now, or too late for anybody. */
    release: async () => {
      await page.unroute(`**/${path}`);
      await Promise.all(held.splice(0).map((route) => route.continue().catch(() => {})));
    },
  };
}

test('the dialog can be closed while it searches and while it asks a provider: the window goes, the attempt is given up, late answers change nothing', async ({
  page,
  browser,
}) => {
  const link = await invite(product, page, 'Contrato adiado', 'Carlos Eduardo Nóbrega', 'carlos@exemplo.com.br');
  const signer = await newPerson(browser);
  await openSignature(signer, link);
  const close = signer.getByRole('dialog').getByRole('button', { name: 'Fechar' });
  const asked: string[] = [];
  signer.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const count = (path: string) => asked.filter((one) => one === `/api/${path}`).length;

  // While it searches.
  await signer.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(signer, carlos, /Na nuvem/);
  const search = await hold(signer, 'api/findCertificates');
  const [waiting] = await Promise.all([signer.waitForEvent('popup'), signer.getByRole('button', { name: 'Buscar certificado' }).click()]);
  await expect(signer.getByText('Procurando seu certificado')).toBeVisible();
  await expect.poll(search.asked).toBe(1);
  const closed = waiting.waitForEvent('close');
  await close.click();
  await closed;
  await expect(signer.getByRole('dialog')).toHaveCount(0);
  await search.release();
  expect([count('createUrlAuthorize'), count('cancelSigningAttempt')]).toEqual([0, 0]);

  // A search that is cancelled leaves the form as it was; the next one is another.
  await signer.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(signer, carlos, /Na nuvem/);
  const again = await hold(signer, 'api/findCertificates');
  await signer.getByRole('button', { name: 'Buscar certificado' }).click();
  await expect.poll(again.asked).toBe(1);
  await signer.getByRole('button', { name: 'Cancelar' }).click();
  await expect(signer.getByText('Procurando seu certificado')).toHaveCount(0);
  await expect(signer.getByRole('radio', { name: /Na nuvem/ })).toBeChecked();
  await again.release();
  await expect(signer.getByRole('radio', { name: /^NeoID/ })).toHaveCount(0);

  // While the provider's address is asked for.
  await signer.getByRole('button', { name: 'Buscar certificado' }).click();
  await signer.getByRole('radio', { name: /^NeoID/ }).check();
  const authorization = await hold(signer, 'api/createUrlAuthorize');
  const [window] = await Promise.all([signer.waitForEvent('popup'), signer.getByRole('button', { name: 'Assinar', exact: true }).click()]);
  await expect.poll(authorization.asked).toBe(1);
  const gone = window.waitForEvent('close');
  await close.click();
  await gone;
  await expect.poll(() => count('cancelSigningAttempt')).toBe(1);
  await authorization.release();

  // What broke on the way is told at its step, and the person goes on from there.
  await signer.getByRole('button', { name: 'Assinar Documento' }).click();
  await chooseType(signer, carlos, /Na nuvem/);
  await signer.route('**/api/findCertificates', (route) => route.abort());
  await signer.getByRole('button', { name: 'Buscar certificado' }).click();
  await expect(signer.getByText('Erro ao buscar certificados')).toBeVisible();
  await signer.unroute('**/api/findCertificates');
  await signer.getByRole('button', { name: 'Buscar certificado' }).click();
  await expect(signer.getByRole('radio', { name: /^VIDaaS/ })).toBeVisible();
  await expect(signer.getByText('Erro ao buscar certificados')).toHaveCount(0);
  await signer.context().close();
});

test('a box is dragged, taken back with Escape in the middle of it, moved by arrows, changes the page, and is fixed with Enter', async ({
  page,
}) => {
  await signIn(product, page);
  await page.setInputFiles('input[type=file]', {
    name: 'Caixas.pdf',
    mimeType: 'application/pdf',
    buffer: await makeContract('Caixas', 2),
  });
  await page.waitForURL('**/prepare');
  await addSigner(page, 'Ana Lima', 'ana.lima@exemplo.com.br');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.waitForURL('**/confirm');
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento', disabled: false }).check();
  await page.getByRole('button', { name: 'Iniciar (Ana Lima)' }).click();
  const box = page.locator('.box');
  await expect(box).toBeFocused();
  const at = async () => (await box.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

  // The arrows: ten points with Shift, and back again.
  const before = await at();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => (await at()).x).toBeGreaterThan(before.x + 1);
  await expect(page.getByText(/^p\. 1 · x/).first()).toBeAttached();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(async () => Math.abs((await at()).x - before.x)).toBeLessThan(1);

  // Taken back in the middle of a drag: it stands where it was, and the pointer moves it no more.
  const { x, y, width, height } = await at();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 60, y + height / 2 + 40, { steps: 4 });
  await expect.poll(async () => (await at()).x).toBeGreaterThan(x + 50);
  await page.keyboard.press('Escape');
  await page.mouse.move(x + width / 2 + 90, y + height / 2 + 70);
  await page.mouse.up();
  await expect.poll(async () => Math.abs((await at()).x - x)).toBeLessThan(1);
  await expect(page.getByText('0/1')).toBeVisible();

  // What is dropped waits to be fixed, as what is moved by keys does; its signer's button says so.
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 60, y + height / 2 + 40, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByText('0/1')).toBeVisible();
  await page.getByRole('button', { name: 'Fixar (Ana Lima)' }).click();
  await expect(page.getByText('1/1')).toBeVisible();
  await expect.poll(async () => Math.round((await at()).x - x)).toBe(60);

  // Begun anew, by the keyboard alone: another page, Enter, and the focus is back at the button.
  const ready = page.getByRole('button', { name: 'Refazer (Ana Lima)' });
  await ready.click();
  await page.getByRole('button', { name: 'Iniciar (Ana Lima)' }).click();
  await expect(box).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(box).toContainText('página 2');
  await page.keyboard.press('Enter');
  await expect(ready).toBeFocused();
  await expect(page.getByText('1/1')).toBeVisible();
});

test('a cancelled process makes the list, its counters and its row be read anew, and nothing else', async ({ page }) => {
  await signIn(product, page);
  await createPlainProcess(product, page, 'Exato', [['Gil Prado', 'gil@exemplo.com.br']]);
  await page.getByRole('button', { name: 'Detalhes de Exato' }).click();
  await page.getByRole('button', { name: 'Cancelar processo' }).click();
  const read = new Set<string>();
  page.on('request', (request) => request.method() === 'GET' && read.add(new URL(request.url()).pathname.replace(/[\w-]{36}$/, ':id')));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar processo' }).click();
  await expect(page.locator('.badge', { hasText: 'Cancelado' }).first()).toBeVisible();
  await expect
    .poll(() => [...read].toSorted())
    .toEqual(['/api/buildCounterInfos', '/api/buildProcessesInfos', '/api/buildSubDataProcesses/:id']);
});

test('on a telephone the first field that is missing is in sight, and not only what is said beside the button', async ({
  page,
  browser,
}) => {
  const link = await invite(product, page, 'Contrato à mão', 'Carlos Eduardo Nóbrega', 'carlos.mao@exemplo.com.br');
  const signer = await newPerson(browser, { viewport: phone });
  await openSignature(signer, link);
  await signer.getByRole('button', { name: 'Assinar Documento' }).click();
  const dialog = signer.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await expect(dialog.getByText('Para assinar, é preciso aceitar o termo.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'CPF' })).toBeFocused();
  await expect(dialog.getByRole('textbox', { name: 'CPF' })).toBeInViewport();
});
