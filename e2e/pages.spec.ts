import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeContract } from './documents.ts';
import { expectNoFaults, newPerson, phone, registerFirstAccount, signIn, watchServer } from './people.ts';
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

/** Pages that the stories pass by without looking. */
const open = [
  ['reset-request', '/account/reset/request', 'Recuperar senha'],
  ['reset-finish', '/account/reset/finish?key=abc', ''],
  ['activate-failed', '/account/activate?key=abc', ''],
  [
    'download-refused',
    '/download/00000000-0000-4000-8000-000000000000?user=00000000-0000-4000-8000-000000000000',
    'Não encontramos este processo.',
  ],
  ['wire', '/api-docs', 'OpenAPI 3.1'],
  ['not-found', '/nada', 'A página não existe.'],
] as const;
for (const [name, address, words] of open) {
  test(`the page ${name} is accessible in both themes, wide and at 360 px`, async ({ page }) => {
    await page.goto(`${product.url}${address}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (words) await expect(page.getByText(words).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page, name);
  });
}

for (const [name, address] of [
  ['settings', '/account/settings'],
  ['password', '/account/password'],
] as const) {
  test(`the page ${name} is accessible in both themes, wide and at 360 px`, async ({ page }) => {
    await signIn(product, page);
    await page.goto(`${product.url}${address}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page, name);
  });
}

test('English and Spanish reach every word of the public pages', async ({ page }) => {
  await page.goto(`${product.url}/validateLogin`);
  for (const [locale, title, button] of [
    ['en', 'Verify document', 'Verify'],
    ['es', 'Verificar documento', 'Verificar'],
    ['pt-br', 'Conferir documento', 'Conferir'],
  ] as const) {
    await page.locator('header select').selectOption(locale);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible();
  }
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt-BR');
});

test('a page whose first script or whose sentences do not come says so, and can be loaded again', async ({ browser }) => {
  for (const missing of [/\/i18n\//, /\/assets\/boot-[^/]*\.js$/, /\/assets\/main-[^/]*\.js$/]) {
    // Of its own: what the browser says of what did not come is no fault here.
    const page = await (await browser.newContext()).newPage();
    await page.route(missing, (route) => route.fulfill({ status: 503, json: { title: 'away' } }));
    await page.goto(`${product.url}/login`);
    await expect(page.getByText('A página não chegou inteira.')).toBeVisible({ timeout: 60_000 });
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Carregar de novo' }).click();
    await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible();
    await page.context().close();
  }
});

test('a page that was opened where nobody looks, and met a fault, is there when somebody looks', async ({ page }) => {
  await page.addInitScript(() => {
    let state = 'hidden';
    Object.defineProperty(document, 'visibilityState', { get: () => state });
    Object.defineProperty(document, 'hidden', { get: () => state === 'hidden' });
    addEventListener('looked-at', () => {
      state = 'visible';
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    });
  });
  const away = Promise.withResolvers<void>();
  await page.route(
    '**/management/info',
    async (route) => {
      await route.fulfill({ status: 429, json: { title: 'request.tooMany' } });
      away.resolve();
    },
    { times: 2 },
  );
  await page.goto(`${product.url}/login`);
  await away.promise;
  await page.waitForTimeout(2000);
  await page.evaluate(() => dispatchEvent(new Event('looked-at')));
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible();
});

test('a menu, a toast or a page whose script does not come takes nothing with it, and is asked for again', async ({ browser }) => {
  // Of its own: what the browser says of scripts that did not come is no fault here.
  const page = await (await browser.newContext()).newPage();
  let isAway = true;
  await page.route(/\/assets\/(menu|account-menu|toast-region|settings\.page)-[^/]*\.js$/, (route) =>
    isAway ? route.abort() : route.fallback(),
  );
  await signIn(product, page);
  await expect(page.getByRole('heading', { level: 1, name: 'Suas assinaturas' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Importar' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Menu' })).toHaveCount(0);
  await page.goto(`${product.url}/account/settings`);
  await expect(page.getByRole('heading', { level: 1, name: 'Esta página parou de funcionar' })).toBeVisible();
  isAway = false;
  await page.getByRole('link', { name: 'Voltar ao início' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Suas assinaturas' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
  await page.getByRole('button', { name: /sua conta/ }).click();
  await page.getByRole('menuitem', { name: 'Configurações' }).click();
  await expect(page.getByLabel('Nome', { exact: true })).toBeVisible();
  await page.context().close();
});

const begins = [
  { address: '/validateLogin', words: ['Conferir documento', 'Pelo identificador'], isOfSignedIn: false },
  { address: '/signature', words: ['Suas assinaturas', 'Arraste PDFs para cá', 'Importar'], isOfSignedIn: true },
];
for (const { address, words, isOfSignedIn } of begins)
  test(`what stands in ${address} before its scripts have come stays where it is when they draw the page`, async ({ browser }) => {
    for (const viewport of [phone, { width: 1440, height: 900 }]) {
      const page = await newPerson(browser, { viewport });
      if (isOfSignedIn) await signIn(product, page);
      const [begin, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
        await begin.promise;
        await route.continue();
      });
      // In the same letters before and after, those of an earlier page among them.
      await page.route(/\.woff2$/, async (route) => {
        await end.promise;
        await route.continue();
      });
      await page.goto(`${product.url}${address}`, { waitUntil: 'commit' });
      const placed = async (text: string) => {
        const [frame, one] = await Promise.all([
          page.locator('.page').boundingBox(),
          page.getByText(text, { exact: true }).filter({ visible: true }).boundingBox(),
        ]);
        return one && frame && [one.x, one.y - frame.y, one.width, one.height].map(Math.round);
      };
      const [title = ''] = words;
      await expect(page.getByText(title, { exact: true })).toBeVisible();
      await expect(page.getByRole('heading')).toHaveCount(0);
      // Words can be there before how they look: nobody has seen them then.
      await page.waitForFunction(() => [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet));
      const before = await Promise.all(words.map(placed));
      begin.resolve();
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      expect(await Promise.all(words.map(placed))).toEqual(before);
      end.resolve();
      await page.context().close();
    }
  });

test('what whoever is signed in sees first is shown to nobody else', async ({ browser }) => {
  const page = await newPerson(browser);
  const begin = Promise.withResolvers<void>();
  await page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
    await begin.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/signature`, { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', /./);
  await expect(page.locator('template.of-signed-in')).toHaveCount(1);
  await expect(page.getByText('Suas assinaturas')).toHaveCount(0);
  begin.resolve();
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toBeVisible();
  await page.context().close();
});

test('nothing moves when the letters arrive', async ({ browser }) => {
  for (const address of ['/login', '/validateLogin'])
    for (const viewport of [phone, { width: 1440, height: 900 }]) {
      const page = await newPerson(browser, { viewport });
      const held: (() => void)[] = [];
      let isHeld = true;
      await page.route(/\.woff2$/, async (route) => {
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
        await route.continue();
      });
      await page.addInitScript(() => {
        const seen = window as unknown as { moved: number };
        seen.moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.moved += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(`${product.url}${address}`, { waitUntil: 'domcontentloaded' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect.poll(() => held.length).toBeGreaterThan(0);
      isHeld = false;
      for (const go of held) go();
      await page.waitForFunction(
        () => document.fonts.check('16px "Source Sans 3 Variable"') && document.fonts.check('600 16px "Source Serif 4"'),
      );
      // Drawn with them, twice over.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      // A line that breaks elsewhere moves a tenth and more.
      expect(await page.evaluate(() => (window as unknown as { moved: number }).moved)).toBeLessThan(0.05);
      await page.context().close();
    }
});

test('where the system’s few colours take the place of the house’s, the menu still tells the page one is on, and a stamp stays ink on paper', async ({
  page,
}) => {
  await signIn(product, page);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await expect(page.locator('.menu nav a.active')).toBeVisible();
  const lines = (chosen: string) =>
    page.locator(`.menu nav a${chosen}`).evaluateAll((all) => all.map((one) => getComputedStyle(one).borderBottomColor));
  // Chromium's stand-in for a dark contrast theme: the ground is black.
  const ground = 'rgb(0, 0, 0)';
  const others = await lines(':not(.active)');
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((line) => line !== ground)).toEqual([]);
  expect(await lines('.active')).not.toContain(ground);

  await page.setInputFiles('input[type=file]', {
    name: 'contrato.pdf',
    mimeType: 'application/pdf',
    buffer: await makeContract('Contrato', 1),
  });
  await page.waitForURL('**/prepare');
  await page.getByRole('button', { name: 'Eu também assino' }).click();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('radio', { name: /Assinatura eletrônica/ }).check();
  await page.getByRole('checkbox', { name: 'Assinatura visível no documento', disabled: false }).check();
  await page.getByRole('button', { name: /^Iniciar/ }).click();
  const stamp = page.locator('.box .stamp');
  await expect(stamp).toHaveCSS('background-color', 'rgba(255, 255, 255, 0.88)');
  await expect(stamp.locator('.stamp-text')).toHaveCSS('color', 'rgb(34, 34, 34)');
});
