/**
 * Every screen of a running product with real data, wide and at 360 px, light and dark, in three languages: a picture of each into
 * `pictures/`, and what axe and a ruler find beside them. Ends with a fault where they find anything.
 *
 *     npm run pictures             all; a quarter of an hour
 *     npm run pictures -- short    each screen once, size, theme and language in turn
 *     npm run pictures -- signer   the screens whose names hold this word
 *     npm run pictures -- readme   those of the README, into docs/img
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { faultsOf } from './axe.ts';
import { startProduct } from './product.ts';
import { type Locale, locales, openScreen, type Screen, screens, show, signInHere, type Size, type Theme, themes } from './screens.ts';
import { makeWorld } from './world.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const word = process.argv[2] ?? '';
const isShort = word === 'short';
/** Each screen, and what its picture is called. */
const forReadme: Readonly<Record<string, string>> = { 'confirm-placed': 'confirm' };
const folder = join(root, word === 'readme' ? 'docs/img' : 'pictures');

interface Variant {
  readonly locale: Locale;
  readonly size: Size;
  readonly theme: Theme;
}

function variantsOf(index: number): readonly Variant[] {
  const all = locales.flatMap((locale) => (['wide', 'phone'] as const).flatMap((size) => themes.map((theme) => ({ locale, size, theme }))));
  // Twelve of them and five from one to the next: neighbours differ in everything.
  return isShort ? all.slice((index * 5) % all.length, ((index * 5) % all.length) + 1) : all;
}

function isWanted({ name }: Screen): boolean {
  if (word === 'readme') return name in forReadme;
  return word === '' || isShort || name.includes(word);
}

const faults: string[] = [];

async function picture(page: Page, { name }: Screen, { locale, size, theme }: Variant): Promise<void> {
  await show(page, size, theme);
  const file = word === 'readme' ? `${forReadme[name]}.png` : join(name, `${size}-${theme}-${locale}.png`);
  await page.screenshot({ path: join(folder, file), fullPage: word !== 'readme' });
  for (const fault of await faultsOf(page)) faults.push(`${name} ${size} ${theme} ${locale}: ${fault}`);
}

async function pageOf(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(`${url}/login`);
  return page;
}

if (word !== 'readme') rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const product = await startProduct();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const world = await makeWorld(product);
  const [visitor, ana] = [await pageOf(browser, product.url), await pageOf(browser, product.url)];
  await signInHere(ana, product);
  for (const [index, screen] of screens.entries()) {
    if (!isWanted(screen)) continue;
    const page = screen.isOpen ? visitor : ana;
    let shown = '';
    try {
      for (const variant of word === 'readme' ? [{ locale: 'pt-br', size: 'wide', theme: 'light' } as const] : variantsOf(index)) {
        if (shown !== variant.locale) await openScreen(screen, page, product, world, variant.locale);
        shown = variant.locale;
        await picture(page, screen, variant);
      }
      console.log(screen.name);
    } catch (error) {
      faults.push(`${screen.name} ${shown}: ${String(error)}`);
    }
  }
} finally {
  await browser.close();
  await product.stop();
}
for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? `${folder}: nothing to mend` : `${faults.length} to mend`);
process.exitCode = faults.length === 0 ? 0 : 1;
