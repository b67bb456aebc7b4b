import { expect, type Page, test } from '@playwright/test';
import { faultsOf } from './axe.ts';
import { inkOn, strokeOn } from './hands.ts';
import { expectNoFaults, newPerson, openSignature, phone, place } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';
import { tell } from './transcript.ts';
import { cutWords, moving } from './ruler.ts';
import { send, sign, signedIn } from './world.ts';

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.stop());
test.afterEach(expectNoFaults);

/** A screen that is twice as dense and half as wide as a desk's is what a zoom of 200 % leaves of it. */
const density = 2;
const sizes = { '360': phone, '320': { width: 320, height: 640 }, 'zoom-200': { width: 1280 / density, height: 860 / density } };

test('a signer with nothing but a finger reads, draws, types and takes home, at 320 px, at 200 %, in forced colours and without motion', async ({
  browser,
}) => {
  const call = await signedIn(product);
  const sent = await send(call, 'Contrato de locação', [
    ['Tadeu Souza', 'tadeu@exemplo.com.br'],
    ['Maria Aparecida Guimarães Magalhães', 'maria@exemplo.com.br'],
  ]);
  await sign(product, sent, 'tadeu@exemplo.com.br');
  const maria = await newPerson(browser, {
    geolocation: place,
    permissions: ['geolocation'],
    viewport: phone,
    deviceScaleFactor: density,
    hasTouch: true,
  });
  const dialog = maria.getByRole('dialog');
  await openSignature(maria, await mailedLink(product, 'maria@exemplo.com.br', sent.title));

  await test.step('the documents', async () => {
    await maria.getByRole('tab', { name: /Termo de vistoria/ }).tap();
    await expect(maria.getByRole('tab', { name: /Termo de vistoria/ })).toHaveAttribute('aria-selected', 'true');
    await expectForAll(maria, 'signer');
    await expectToldApart(maria, '.document-tabs [role=tab]');
    // Its picture says nothing to who listens: its words do.
    await expect(maria.getByRole('region', { name: 'Termo de vistoria' }).getByRole('paragraph').first()).toHaveText('Termo de vistoria');
    await tell(maria.locator('body'), 'documents');
    await maria.getByText('Pedido por Ana').tap();
    await expect(maria.locator('.signing-who').getByText('Tadeu Souza')).toBeVisible();
    await expectForAll(maria, 'people');
    await maria.getByText('Pedido por Ana').tap();
  });

  await test.step('who signs', async () => {
    await maria.getByRole('button', { name: 'Assinar Documento' }).tap();
    await type(maria, 'CPF', '11111111111');
    await maria.getByRole('button', { name: 'Continuar' }).tap();
    await expect(maria.getByText('O CPF não confere')).toBeVisible();
    await expect(maria.getByLabel('CPF', { exact: true })).toHaveAccessibleDescription(/O CPF não confere/);
    await expectForAll(maria, 'data');
    await tell(dialog, 'data');
    await type(maria, 'CPF', '52998224725');
    await maria.getByRole('button', { name: 'Continuar' }).tap();
  });

  await test.step('a drawing, and letters for who cannot draw', async () => {
    await maria.getByRole('tab', { name: 'Desenhar' }).tap();
    const pad = maria.locator('.pad');
    await pad.scrollIntoViewIfNeeded();
    const before = await pad.boundingBox();
    await strokeOn(maria, pad);
    // The ink follows the finger, and neither the sheet nor the page below it does.
    await expect.poll(async () => (await inkOn(pad)).width).toBeGreaterThan(0.7);
    expect((await inkOn(pad)).height).toBeGreaterThan(0.4);
    expect(await pad.boundingBox()).toEqual(before);
    await expect(maria.getByRole('button', { name: 'Limpar' })).toBeEnabled();
    await expectForAll(maria, 'drawn');
    await tell(dialog, 'drawn');
    await maria.getByRole('tab', { name: 'Digitar' }).tap();
    await maria.getByRole('button', { name: /^Estilo 2/ }).tap();
    await expectForAll(maria, 'typed');
    await expectToldApart(maria, '.tabs [role=tab]');
    await expectToldApart(maria, '.script-choice');
    await tell(dialog, 'typed');
    await maria.getByRole('button', { name: 'Assinar', exact: true }).tap();
    await expect(maria.getByRole('alert')).toBeInViewport();
    await maria.getByRole('checkbox', { name: /Li os documentos/ }).tap();
    await maria.getByRole('button', { name: 'Assinar', exact: true }).tap();
  });

  await test.step('the end, and the files', async () => {
    await expect(maria.getByText('Todas as pessoas já assinaram').first()).toBeVisible({ timeout: 60_000 });
    await expect(maria.getByRole('heading', { name: 'Todas as pessoas já assinaram' })).toBeFocused();
    await expectForAll(maria, 'end');
    await tell(maria.getByRole('main'), 'end');
    await maria.getByRole('link', { name: 'Baixar documentos' }).tap();
    await expect(maria.getByRole('button', { name: 'Baixar tudo (.zip)' })).toBeVisible();
    await expectForAll(maria, 'download');
    await tell(maria.getByRole('main'), 'files');
    const [saved] = await Promise.all([maria.waitForEvent('download'), maria.getByRole('button', { name: 'Baixar tudo (.zip)' }).tap()]);
    expect(saved.suggestedFilename()).toBe('assinaturas.zip');
  });
  await maria.context().close();
});

/** As a keyboard on the glass does it: the field is touched, the text comes whole. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.tap();
  await field.selectText();
  await page.keyboard.insertText(text);
}

/** No word cut and nothing to scroll sideways at each size; nothing moves; axe has nothing to say of it in forced colours. */
async function expectForAll(page: Page, name: string): Promise<void> {
  await expect.poll(() => moving(page), `${name}: nothing moves`).toEqual([]);
  for (const [label, size] of Object.entries(sizes)) {
    await laidOutAt(page, size);
    await expect.poll(() => cutWords(page), `${name} ${label}: no word is cut`).toEqual([]);
    await page.screenshot({ path: `test-results/shots/all-${name}-${label}.png` });
  }
  await laidOutAt(page, sizes['320']);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  // Contrast is the system's then: axe computes it from grounds that are not drawn.
  expect(await faultsOf(page, { without: ['color-contrast'] }), `${name}: forced colours`).toEqual([]);
  await page.screenshot({ path: `test-results/shots/all-${name}-forced.png` });
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  await laidOutAt(page, phone);
}

/** A finger must not meet a page that is still being laid out for another screen: the tap would be lost, as it would for a hand. */
async function laidOutAt(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction((width) => innerWidth === width, size.width);
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}

/** Where the house's colours are gone, what is chosen has the system's colour of choice, and what is not has not. */
async function expectToldApart(page: Page, choices: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  const { highlight, grounds } = await page.evaluate((selector) => {
    const probe = document.createElement('span');
    probe.style.cssText = 'forced-color-adjust: none; background: Highlight';
    document.body.append(probe);
    const ground = (one: Element) => getComputedStyle(one).backgroundColor;
    const isChosen = (one: Element) => one.getAttribute('aria-selected') === 'true' || one.getAttribute('aria-pressed') === 'true';
    const all = [...document.querySelectorAll(selector)].map((one) => ({ isChosen: isChosen(one), ground: ground(one) }));
    const found = { highlight: ground(probe), grounds: all };
    probe.remove();
    return found;
  }, choices);
  await page.emulateMedia({ forcedColors: 'none' });
  const groundsOf = (chosen: boolean) => grounds.filter(({ isChosen }) => isChosen === chosen).map(({ ground }) => ground);
  expect(groundsOf(true), `${choices}: the chosen one`).toEqual([highlight]);
  expect(groundsOf(false).length).toBeGreaterThan(0);
  expect(groundsOf(false), `${choices}: the others`).not.toContain(highlight);
}
