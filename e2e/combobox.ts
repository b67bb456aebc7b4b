import type { Locator } from '@playwright/test';

/**
 * Types a part of a name into a combobox. The scroll that brings it into view must be over by then: an open list closes when its
 * page is scrolled, and what was typed gives way to what was chosen.
 */
export async function typeIntoCombobox(combobox: Locator, text: string): Promise<void> {
  await combobox.scrollIntoViewIfNeeded();
  await combobox.evaluate(() => new Promise((settled) => requestAnimationFrame(() => requestAnimationFrame(settled))));
  await combobox.fill(text);
}
