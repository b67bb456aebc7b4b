import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { faultsOf, ofColours } from './axe.ts';
import { expectNoFaults, newPerson } from './people.ts';
import { type Product, startProduct } from './product.ts';
import { cutWords, lostInForcedColors, moving, offGrid } from './ruler.ts';
import { locales, openScreen, type Screen, screens, signInHere, themes, turnTo } from './screens.ts';
import { makeWorld, type World } from './world.ts';

/** Every screen of the product for people of all kinds: opened once, then turned to each language, size and theme where it stands. */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const wide = { width: 1440, height: 900 };
const phone = { width: 360, height: 640 };
/** What is judged by the ruler alone: the narrowest screen, and what a zoom of 200 % leaves of a desk's. */
const narrow = { '320 px': { width: 320, height: 640 }, '200 %': { width: 640, height: 430 } };

let product: Product;
let world: World;
let pages: { visitor: Page; ana: Page };
test.beforeAll(async ({ browser }: { browser: Browser }) => {
  test.setTimeout(240_000);
  product = await startProduct();
  world = await makeWorld(product);
  pages = { visitor: await newPerson(browser), ana: await newPerson(browser) };
  await pages.visitor.goto(`${product.url}/login`);
  await signInHere(pages.ana, product);
});
test.afterAll(async () => {
  for (const page of Object.values(pages)) await page.context().close();
  await product.stop();
});
test.afterEach(expectNoFaults);

for (const screen of screens)
  test(`${screen.name} is for everybody: three languages, two themes, wide and narrow, forced colours, without motion`, async () => {
    const page = screen.isOpen ? pages.visitor : pages.ana;
    await page.setViewportSize(wide);
    await openScreen(screen, page, product, world, 'pt-br');
    if (screen.at) expect(new URL(page.url()).pathname).toBe(screen.at);
    await expect(page.getByRole('heading', { name: 'Página não encontrada' })).toHaveCount(screen.name === 'not-found' ? 1 : 0);
    await expect(page.getByRole('heading', { name: 'Esta página parou de funcionar' })).toHaveCount(0);
    expect(await faultsOfAll(page)).toEqual([]);
  });

test('what judges a screen finds each thing that may be wrong with it', async () => {
  const page = pages.visitor;
  await page.goto(`${product.url}/account/reset/request`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await faultsOfAll(page)).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.evaluate(() => {
    const wrong = document.createElement('div');
    wrong.innerHTML = `
      <p style="overflow: hidden; width: 40px; white-space: nowrap">cut in its box</p>
      <p style="width: 900px; white-space: nowrap; text-align: right">beyond the screen</p>
      <p style="color: #999; background: #fff">hard to read</p>
      <button style="outline: none !important">without a ring</button>
      <p><a href="#a">one</a><a href="#b" aria-current="true">other</a></p>
      <img src="/icon.svg" width="30" height="30">
      <section class="card"><p>ends early</p><p style="height: 30px"><span></span></p></section>`;
    const main = document.querySelector('main');
    main?.append(wrong);
    main?.querySelector('h1')?.style.setProperty('margin-bottom', '40px');
    main?.style.setProperty('padding-left', '40px');
    wrong.animate([{ opacity: 0.9 }, { opacity: 1 }], { duration: 600_000 });
  });
  const found = (await faultsOfAll(page)).join('\n');
  const wanted = [
    'cut: cut in its box',
    'outside: beyond the screen',
    'wider than the screen',
    'color-contrast',
    'image-alt',
    'transition',
    'px of room below what ends: ends early',
    'px below its heading',
    'begins at',
  ];
  for (const fault of [...wanted, 'no ring: button without a ring', 'chosen, and looks as what is not: a other'])
    expect.soft(found).toContain(fault);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

/** What is wrong in any of its forms, each told once with the forms that have it. */
async function faultsOfAll(page: Page): Promise<string[]> {
  const found = new Map<string, string[]>();
  const note = (form: string, faults: readonly string[]) => {
    for (const fault of faults) found.set(fault, [...(found.get(fault) ?? []), form]);
  };
  for (const locale of locales) {
    await turnTo(page, locale);
    for (const [label, size] of Object.entries({ wide, '360': phone })) {
      await laidOut(page, size);
      note(`${label} ${locale}`, await cutWords(page));
      if (locale === 'pt-br') note(label, await offGrid(page));
      for (const theme of themes) {
        await page.evaluate((value) => {
          document.documentElement.dataset['theme'] = value;
        }, theme);
        // Another theme is other colours, and nothing else; another language other words, in the same colours.
        if (locale !== 'pt-br' && theme !== 'light') continue;
        const judged = theme === 'light' ? { without: locale === 'pt-br' ? [] : ofColours } : { only: ofColours };
        note(`${label} ${theme} ${locale}`, await faultsOf(page, judged));
      }
    }
    for (const [label, size] of Object.entries(narrow)) {
      await laidOut(page, size);
      note(`${label} ${locale}`, await cutWords(page));
    }
  }
  note('moves', await moving(page));
  await page.emulateMedia({ forcedColors: 'active' });
  note('forced colours', await lostInForcedColors(page));
  await page.emulateMedia({ forcedColors: 'none' });
  return [...found].map(([fault, forms]) => `${fault} (${forms.join(', ')})`);
}

async function laidOut(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction((width) => innerWidth === width, size.width);
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}

/** Addresses that only lead elsewhere, and a second one of the settings. */
const leadElsewhere = ['/', '/logout', '/login/return/:provider', '/account', '/company/:id/delete', '/*'];

test('every address of the product is one of these screens', () => {
  const web = (name: string) => readFileSync(join(root, 'apps/web/src', name), 'utf8');
  const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const entities = [
    ...named(web('entity-screens.ts'), /\n {4}address: '([^']+)'/g),
    ...named(web('admin-rooms.ts'), /entityAddresses\('([^']+)'/g).map((name) => `admin/${name}`),
  ];
  const routes = [
    ...['routes.tsx', 'signed-in.routes.tsx'].flatMap((file) => named(web(file), /path: '([^']+)', (?:lazy|Component)/g)),
    ...named(web('entity-screens.ts'), /formAddress: '([^']+)'/g),
    ...named(web('admin-rooms.ts'), /(?:installationRoom\(|path: )'([^']+)'/g).map((name) => `admin/${name}`),
    ...entities.flatMap((name) => ['', '/new', '/:id', '/:id/edit', '/:id/delete'].map((end) => `${name}${end}`)),
  ].map((route) => `/${route}`);
  expect(routes.length, 'the table of addresses is read').toBeGreaterThan(80);
  const shown = screens.map(({ at, address }) => at ?? plain(address));
  const missing = routes.filter((route) => {
    const pattern = new RegExp(`^${route.replaceAll(/\/:\w+\?/g, '(/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}$`);
    return !leadElsewhere.includes(route) && route !== '/dev/kit' && !shown.some((address) => pattern.test(address));
  });
  expect(missing).toEqual([]);
});

/** Without its query; identifiers stand for themselves. */
function plain(address: Screen['address']): string {
  const id = 'id';
  const named = { id, link: 'http://lavra/signer/id', documentId: id, email: id };
  const anybody: World = {
    going: named,
    finished: named,
    rejected: named,
    companyId: id,
    modelId: id,
    signerId: id,
    signatureId: id,
    accountId: id,
  };
  return (typeof address === 'string' ? address : address(anybody)).replace(/[?#].*$/, '');
}
