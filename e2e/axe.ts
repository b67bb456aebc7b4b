import { createRequire } from 'node:module';
import type { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

type Options = Parameters<AxeBuilder['options']>[0];
type Results = Awaited<ReturnType<AxeBuilder['analyze']>>;

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const wide = { width: 1280, height: 860 };
const phone = { width: 360, height: 760 };

/**
 * No violation of WCAG 2.2 A and AA on the page as it stands, in the light and the dark theme, wide and at
 * 360 px, where nothing may be wider than the screen. The page is left as it was.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? wide;
  const theme = await page.evaluate(() => document.documentElement.dataset['theme'] ?? 'light');
  const other = theme === 'dark' ? 'light' : 'dark';
  for (const [size, label] of [
    [wide, 'wide'],
    [phone, '360'],
  ] as const) {
    await page.setViewportSize(size);
    for (const shown of [theme, other]) {
      await page.evaluate((value) => {
        document.documentElement.dataset['theme'] = value;
      }, shown);
      // Another theme is other colours, and nothing else.
      expect(await faultsOf(page, shown === theme ? {} : { only: ofColours }), `${name}-${label}-${shown}`).toEqual([]);
    }
    if (label === '360')
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name}: nothing wider than the phone`).toBe(phone.width);
  }
  await page.evaluate((value) => {
    document.documentElement.dataset['theme'] = value;
  }, theme);
  await page.setViewportSize(before);
}

/** Rules that look at colours: all that another theme can change. */
export const ofColours: readonly string[] = ['color-contrast', 'link-in-text-block'];

interface Judged {
  /** Rules that say nothing of this page, each with its reason where it is left out. */
  readonly without?: readonly string[];
  /** These rules alone. */
  readonly only?: readonly string[];
}

/** What axe finds on the page as it stands, and what stands out beyond the right edge. */
export async function faultsOf(page: Page, { without = [], only }: Judged = {}): Promise<string[]> {
  await bringAxe(page);
  const runOnly = only ? { type: 'rule' as const, values: [...only] } : { type: 'tag' as const, values: tags };
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  // Mails stand in a frame where no script runs, and no page has another one.
  const options: Options = { runOnly, rules, resultTypes: ['violations'], iframes: false, preload: false };
  const { violations } = await page.evaluate(
    (how) => (window as unknown as { axe: { run(how: Options): Promise<Results> } }).axe.run(how),
    options,
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const);
  return width > room ? [...found, `wider than the screen: ${width} px`] : found;
}

const beside = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'));
const { source } = beside('axe-core') as { source: string };

/** Once for each document: it is half a megabyte, and its own way of judging opens a page for each time. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
}
