import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const wide = { width: 1280, height: 860 };
const phone = { width: 360, height: 760 };

/**
 * No violation of WCAG 2.2 A and AA on the page as it stands, in the light and the dark theme, wide and at
 * 360 px, where nothing may be wider than the screen. Keeps a picture of each. The page is left as it was.
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
      await expectClean(page, `${name}-${label}-${shown}`);
    }
    if (label === '360')
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name}: nothing wider than the phone`).toBe(phone.width);
  }
  await page.evaluate((value) => {
    document.documentElement.dataset['theme'] = value;
  }, theme);
  await page.setViewportSize(before);
}

async function expectClean(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `test-results/shots/${name}.png`, fullPage: true });
  expect(await faultsOf(page), name).toEqual([]);
}

/**
 * What axe finds on the page as it stands, and what stands out beyond the right edge. `without`: rules that say nothing of this
 * page, each with its reason where it is left out.
 */
export async function faultsOf(page: Page, without: readonly string[] = []): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(tags)
    .disableRules([...without])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const);
  return width > room ? [...found, `wider than the screen: ${width} px`] : found;
}
