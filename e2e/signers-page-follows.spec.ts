import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { chooseTyped, expectNoFaults, fillPerson, newPerson, openSignature, phone, place, pressSign, watchServer } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';
import { type Call, refuse, send, sign, signedIn } from './world.ts';

let product: Product;
let call: Call;
test.beforeAll(async () => {
  product = await startProduct();
  call = await signedIn(product);
});
test.afterAll(() => product.stop());
test.beforeEach(({ page }) => watchServer(page));
test.afterEach(expectNoFaults);

const located = { geolocation: place, permissions: ['geolocation'] };
const notKnown = 'Não foi possível conferir a situação da sua assinatura.';

/** Whenever the status is asked for, nobody answers, until what is returned is called. */
async function loseStatus(page: Page): Promise<() => void> {
  let isLost = true;
  await page.route('**/api/signatureStatus/*/*', (route) => (isLost ? route.abort() : route.fallback()));
  return () => {
    isLost = false;
  };
}

test('who opens a link while the status cannot be had reads the documents, is told so, and may act as soon as it can', async ({ page }) => {
  await send(call, 'Estado perdido', [['Bia Lima', 'bia@exemplo.com.br']]);
  await page.setViewportSize(phone);
  const release = await loseStatus(page);
  await page.goto(await mailedLink(product, 'bia@exemplo.com.br', 'Estado perdido'));
  const told = page.getByText(notKnown);
  await expect(told).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tentar de novo' })).toBeVisible();
  const canvas = page.locator('.viewer-page canvas').first();
  await expect(canvas).toBeVisible();
  await expectAccessible(page, 'no status');
  await page.screenshot({ path: 'test-results/shots/signer-no-status-360.png' });
  await canvas.evaluate((element) => (element.id = 'same'));
  release();
  await expect(page.getByRole('button', { name: 'Assinar Documento' })).toBeVisible({ timeout: 20_000 });
  await expect(told).toHaveCount(0);
  await expect(page.locator('#same'), 'the pages that were being read').toBeVisible();
});

test('who is told that the status cannot be had asks again by hand', async ({ page }) => {
  await send(call, 'Estado pedido', [['Bia Lima', 'bia@exemplo.com.br']]);
  await page.addInitScript(() => {
    const usual = window.setInterval;
    Object.assign(window, { setInterval: (act: () => void, ms = 0) => (ms >= 1500 ? 0 : usual(act, ms)) });
  });
  const release = await loseStatus(page);
  await page.goto(await mailedLink(product, 'bia@exemplo.com.br', 'Estado pedido'));
  await expect(page.getByText(notKnown)).toBeVisible();
  await page.screenshot({ path: 'test-results/shots/signer-no-status-wide.png' });
  release();
  await page.getByRole('button', { name: 'Tentar de novo' }).click();
  await expect(page.getByRole('button', { name: 'Assinar Documento' })).toBeVisible();
});

test('whose turn comes while they read goes on reading where they were, and may act, also where the status could not be had at once', async ({
  page,
}) => {
  await send(call, 'Vez que chega', [['Caio Reis', 'caio@exemplo.com.br']]);
  let hasCome = false;
  await page.route('**/api/requisitionInformation/**', async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { me: object };
    const before = { can: { sign: false }, reason: 'signer.notYourTurn', turnOf: 'Bia Lima' };
    await route.fulfill(hasCome ? { response: answer } : { json: { ...told, me: { ...told.me, ...before } } });
  });
  await page.route('**/api/signatureStatus/*/*', (route) =>
    hasCome ? route.continue() : route.fulfill({ json: { status: 'WAITING', reason: 'signer.notYourTurn', finalized: false } }),
  );
  await page.addInitScript(() => {
    const usual = window.setInterval;
    Object.assign(window, { setInterval: (act: () => void, ms = 0) => usual(act, ms / 10) });
  });
  await page.goto(await mailedLink(product, 'caio@exemplo.com.br', 'Vez que chega'));
  await expect(page.getByText('Agora é a vez de Bia Lima')).toBeVisible();
  const canvas = page.locator('.viewer-page canvas').first();
  await expect(canvas).toBeVisible();
  await canvas.evaluate((element) => (element.id = 'same'));
  const release = await loseStatus(page);
  hasCome = true;
  await expect(page.getByText(notKnown)).toBeVisible();
  release();
  await expect(page.getByRole('button', { name: 'Assinar Documento' })).toBeVisible();
  await expect(page.getByText(notKnown)).toHaveCount(0);
  await expect(page.locator('#same'), 'the pages that were being read').toBeVisible();
});

test('who has signed and stays is told when somebody else’s refusal ends the process', async ({ browser }) => {
  const sent = await send(call, 'Recusa depois', [
    ['Bia Lima', 'bia@exemplo.com.br', 0],
    ['Bruno Reis', 'bruno@exemplo.com.br', 0],
  ]);
  const bia = await newPerson(browser, located);
  await openSignature(bia, await mailedLink(product, 'bia@exemplo.com.br', 'Recusa depois'));
  await fillPerson(bia);
  await chooseTyped(bia);
  await pressSign(bia);
  await expect(bia.getByRole('heading', { name: 'Assinatura concluída. Obrigado!' })).toBeVisible({ timeout: 30_000 });
  await expect(bia.getByText('Bruno Reis')).toBeVisible();
  await refuse(product, sent, 'bruno@exemplo.com.br');
  await expect(bia.getByText(/Bruno Reis recusou assinar em \d\d\/\d\d\/\d\d \d\d:\d\d, e o processo terminou\./)).toBeVisible({
    timeout: 30_000,
  });
  await expect(bia.getByText('Quando todas as pessoas assinarem')).toHaveCount(0);
  await expect(bia.getByText('Agora é a vez de')).toHaveCount(0);
  await expectAccessible(bia, 'ended by another');
  await bia.screenshot({ path: 'test-results/shots/signer-ended-by-another-wide.png' });
  await bia.setViewportSize(phone);
  await bia.screenshot({ path: 'test-results/shots/signer-ended-by-another-360.png', fullPage: true });
  await bia.context().close();
});

test('who is told at the first step that the process has ended stands at a page that knows it', async ({ page }) => {
  const sent = await send(call, 'Fim no passo um', [
    ['Bia Lima', 'bia@exemplo.com.br', 0],
    ['Bruno Reis', 'bruno@exemplo.com.br', 0],
  ]);
  await openSignature(page, await mailedLink(product, 'bia@exemplo.com.br', 'Fim no passo um'));
  await page.getByRole('button', { name: 'Assinar Documento' }).click();
  await page.getByLabel('CPF', { exact: true }).fill('52998224725');
  await refuse(product, sent, 'bruno@exemplo.com.br');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('dialog').getByText('Este processo já foi encerrado.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click();
  await expect(page.getByText(/Bruno Reis recusou assinar em/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Assinar Documento' })).toHaveCount(0);
});

test('pages around a Spanish signer’s own are in Spanish too, unless whoever is there has chosen another language', async ({ browser }) => {
  const email = 'luz@exemplo.com.br';
  const sent = await send(call, 'Contrato de Luz', [['Luz Prado', email]], 'ELETRONIC_SIGNATURE', 'es');
  const link = new URL(await mailedLink(product, email, 'Contrato de Luz'));
  const handed = await call<{ link: string }>('GET', `api/current-link-signature/${sent.id}?signerId=${sent.signerId}`);
  const luz = await newPerson(browser);

  await luz.goto(handed.link);
  await expect(luz.getByText('Confirme que el enlace es para usted')).toBeVisible();

  const own = await newPerson(browser);
  await openIn(own, link.href, 'Firmar Documento');
  const drawing = await own.evaluate(
    async ([processId, key]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`/api/signers/${key}/drawings`, { method: 'POST', headers, body: JSON.stringify({ processId }) });
      return ((await answer.json()) as { address: string }).address;
    },
    [sent.id, link.searchParams.get('user') ?? ''],
  );
  const telephone = await newPerson(browser);
  await telephone.goto(drawing);
  await expect(telephone.getByRole('button', { name: 'Enviar el dibujo' })).toBeVisible();

  await sign(product, sent, email);
  await luz.goto(`${product.url}/download/${sent.id}?user=${link.searchParams.get('user')}`);
  await expect(luz.getByRole('heading', { name: 'Descargar documentos' })).toBeVisible();

  // What somebody has chosen themselves holds everywhere.
  await telephone.getByRole('combobox').selectOption('en');
  await expect(telephone.getByRole('button', { name: 'Send the drawing' })).toBeVisible();
  await telephone.goto(luz.url());
  await expect(telephone.getByRole('heading', { name: 'Download documents' })).toBeVisible();
  for (const one of [luz, own, telephone]) await one.context().close();
});

test('a language that comes late is not shown over the one that was chosen meanwhile, and changes nothing at the server', async ({
  page,
}) => {
  await send(call, 'Contrato de Mar', [['Mar Prado', 'mar@exemplo.com.br']], 'ELETRONIC_SIGNATURE', 'es');
  const held = Promise.withResolvers<void>();
  const asked = page.waitForRequest(/\/i18n\/es\./);
  await page.route(/\/i18n\/es\./, async (route) => {
    await held.promise;
    await route.continue();
  });
  const chosen: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/language')) chosen.push(request.postData() ?? '');
  });
  await page.goto(await mailedLink(product, 'mar@exemplo.com.br', 'Contrato de Mar'));
  await asked;
  await page.getByRole('combobox', { name: 'Idioma' }).selectOption('en');
  await expect(page.getByRole('button', { name: 'Sign document' })).toBeVisible();
  const came = page.waitForResponse(/\/i18n\/es\./);
  held.resolve();
  await (await came).finished();
  // What comes of it is drawn by then.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await expect(page.getByRole('button', { name: 'Sign document' })).toBeVisible();
  expect(chosen).toEqual([JSON.stringify({ langKey: 'en' })]);
});

test('the provider’s window comes back in the language of the page that opened it', async ({ browser }) => {
  await send(call, 'Contrato de Sol', [['Sol Prado', 'sol@exemplo.com.br']], 'DIGITAL_SIGNATURE', 'es');
  const sol = await newPerson(browser);
  await openIn(sol, await mailedLink(product, 'sol@exemplo.com.br', 'Contrato de Sol'), 'Firmar Documento');
  const [opened] = await Promise.all([
    sol.waitForEvent('popup'),
    sol.evaluate((address) => {
      const window = globalThis.open('', '_blank', 'popup');
      window?.location.replace(address);
    }, `${product.url}/callback/psc?code=abc&state=nenhum`),
  ]);
  await expect(opened.getByText('No fue posible autorizar la transacción.')).toBeVisible();
  await sol.context().close();
});

async function openIn(page: Page, link: string, button: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('button', { name: button })).toBeVisible();
}
