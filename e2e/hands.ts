import { type Browser, expect, type FileChooser, type Locator, type Page } from '@playwright/test';
import { newPerson, phone, place, watchServer } from './people.ts';

/** How a person without a mouse does things: by keys alone, or with a finger alone. Stories are told once and done by each. */
export interface Hand {
  readonly by: 'keys' | 'finger';
  readonly page: Page;
  /** A button, a link, a tab, an entry of a menu. */
  press(target: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** A checkbox, a switch, one of several radio buttons. */
  choose(option: Locator): Promise<void>;
  /** An entry of a list that the system itself draws. */
  pick(list: Locator, entry: string): Promise<void>;
}

export type Kind = Hand['by'];
export const kinds: readonly Kind[] = ['keys', 'finger'];

/** Somebody at another computer who has no mouse, or with a telephone. */
export async function newHand(browser: Browser, by: Kind): Promise<Hand> {
  const shared = { geolocation: place, permissions: ['geolocation', 'clipboard-write'] };
  const page = await newPerson(browser, by === 'keys' ? shared : { ...shared, viewport: phone, hasTouch: true });
  return handIn(page, by);
}

/** Keys or finger in a window that another page opened. */
export const handIn = (page: Page, by: Kind): Hand => (by === 'keys' ? keys(page) : finger(page));

export const button = (where: Page | Locator, name: string | RegExp): Locator => where.getByRole('button', { name, exact: true });
export const link = (where: Page | Locator, name: string | RegExp): Locator => where.getByRole('link', { name, exact: true });
export const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true }).first();

/** What had the keys is gone: they stand on something of the page all the same, not at its beginning. */
export async function expectHeld(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body)).toBe(true);
}

/** Files come by the system's own dialog, whichever way it was asked for. */
export async function bring(hand: Hand, button: Locator, files: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const [chooser] = await Promise.all([hand.page.waitForEvent('filechooser'), hand.press(button)]);
  await chooser.setFiles(files);
}

/** A window that an act opens, in the same hand. */
export async function opens(hand: Hand, act: Promise<void>): Promise<Hand> {
  const [window] = await Promise.all([hand.page.context().waitForEvent('page'), act]);
  watchServer(window);
  return handIn(window, hand.by);
}

/** A stroke of a finger across an element. */
export async function strokeOn(page: Page, pad: Locator): Promise<void> {
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error('nothing to draw on');
  const devtools = await page.context().newCDPSession(page);
  const at = (part: number) => [{ x: box.x + box.width * (0.1 + 0.8 * part), y: box.y + box.height * (0.5 + 0.3 * Math.sin(part * 9)) }];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let part = 0.05; part < 1; part += 0.05)
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part) });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await devtools.detach();
}

/** How much of the pad's width and height the ink on it spans, of 1. */
export function inkOn(pad: Locator): Promise<{ width: number; height: number }> {
  return pad.evaluate((canvas: HTMLCanvasElement) => {
    const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const [xs, ys]: [number[], number[]] = [[], []];
    for (let at = 3; at < data.length; at += 4)
      if (data[at]! > 0) {
        xs.push(((at - 3) / 4) % width);
        ys.push(Math.floor((at - 3) / 4 / width));
      }
    const span = (all: number[]) =>
      all.reduce((most, one) => Math.max(most, one), 0) - all.reduce((least, one) => Math.min(least, one), Infinity);
    return { width: span(xs) / width, height: span(ys) / height };
  });
}

function finger(page: Page): Hand {
  const tap = async (target: Locator) => {
    await expectLarge(target);
    await target.tap();
  };
  return {
    by: 'finger',
    page,
    press: tap,
    async choose(option) {
      const was = await option.isChecked();
      await tap(option);
      if (!was) await expect(option).toBeChecked();
    },
    async write(field, text) {
      await field.tap();
      await field.selectText();
      await page.keyboard.insertText(text);
    },
    async pick(list, entry) {
      // The system draws the list; what it hands over is an entry.
      await list.selectOption(entry);
    },
  };
}

/** WCAG 2.5.8: 24 px both ways, with the label that belongs to it; a link within a sentence is as high as its line. */
async function expectLarge(target: Locator): Promise<void> {
  const small = () =>
    target.evaluate((one: HTMLElement) => {
      const labels = 'labels' in one ? [...((one as HTMLInputElement).labels ?? [])] : [];
      const boxes = [one, ...labels].map((each) => each.getBoundingClientRect());
      const [width, height] = [Math.max(...boxes.map((box) => box.width)), Math.max(...boxes.map((box) => box.height))];
      const isInSentence = one.tagName === 'A' && getComputedStyle(one).display === 'inline';
      return isInSentence || (width >= 24 && height >= 24) ? '' : `${one.outerHTML.slice(0, 80)}: ${width} × ${height}`;
    });
  await expect.poll(small).toBe('');
}

function keys(page: Page): Hand {
  return {
    by: 'keys',
    page,
    async press(target) {
      await reach(page, target);
      await page.keyboard.press('Enter');
    },
    async write(field, text) {
      await reach(page, field);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(text);
    },
    async choose(option) {
      await reach(page, option);
      const role = await option.evaluate((one: HTMLInputElement) => one.type);
      if (role !== 'radio') await page.keyboard.press('Space');
      else if (!(await option.isChecked())) await page.keyboard.press('Space');
    },
    async pick(list, entry) {
      await reach(page, list);
      await page.keyboard.press('Home');
      const chosen = list.locator('option:checked');
      for (let left = await list.locator('option').count(); left > 0 && (await chosen.innerText()) !== entry; left -= 1)
        await page.keyboard.press('ArrowDown');
      await expect(chosen).toHaveText(entry);
    },
  };
}

/** How the place with the keys stands to what is wanted. */
type Standing = 'there' | 'before' | 'after' | 'beside';

function standing(target: Locator): Promise<Standing> {
  return target.evaluate((wanted): Standing => {
    const held = document.activeElement;
    if (held === wanted) return 'there';
    if (!held || held === document.body) return 'before';
    // Of several that are one stop of the Tab key, arrows choose: radio buttons, tabs, a menu's entries.
    const group = wanted.closest('[role=tablist], [role=menu], [role=listbox], [role=radiogroup], fieldset');
    const isOne = (one: Element) => one.matches('[role=tab], [role=menuitem], [role=menuitemradio], [role=option], [type=radio]');
    if (group?.contains(held) && isOne(held) && isOne(wanted)) return 'beside';
    return held.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING ? 'after' : 'before';
  });
}

/** Tab by Tab, as nobody who sees the page would mind: wherever the keys stand on the way is in view, and shows it. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  const backwards = (await standing(target)) === 'after';
  for (let steps = 0; steps < 250; steps += 1) {
    const now = await standing(target);
    if (now === 'there') return expectShown(page);
    await page.keyboard.press(now === 'beside' ? 'ArrowDown' : backwards ? 'Shift+Tab' : 'Tab');
    if (now === 'beside' && (await standing(target)) === 'beside') await page.keyboard.press('ArrowRight');
    await expectShown(page);
  }
  throw new Error(`no key leads to ${String(target)}`);
}

/** WCAG 2.4.7 and 2.4.11: a ring, and not wholly under something else. */
async function expectShown(page: Page): Promise<void> {
  const hidden = () =>
    page.evaluate(() => {
      const held = document.activeElement;
      if (!held || held === document.body || held.tagName === 'IFRAME') return '';
      const name = `${held.tagName} ${(held.getAttribute('aria-label') ?? held.textContent ?? '').trim().slice(0, 60)}`;
      const box = held.getBoundingClientRect();
      const around = [held, held.parentElement, held.nextElementSibling, held.closest('label')].filter((one) => one !== null);
      const hasRing = around.some((one) => getComputedStyle(one).outlineStyle !== 'none' || getComputedStyle(one).boxShadow !== 'none');
      if (!hasRing && held.getAttribute('tabindex') !== '-1') return `no ring: ${name}`;
      const isSeen = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
      if (!isSeen) return `out of sight: ${name}`;
      const points = [0.1, 0.5, 0.9].flatMap((x) =>
        [0.1, 0.5, 0.9].map((y) => [box.left + x * box.width, box.top + y * box.height] as const),
      );
      const isFree = points.some(([x, y]) => {
        const top = document.elementFromPoint(x, y);
        return top !== null && (held.contains(top) || top.contains(held) || top.closest('label')?.contains(held));
      });
      const cover = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return isFree ? '' : `${name || held.closest('label')?.textContent} is covered by ${cover?.className}`;
    });
  // The page may still be scrolling to it.
  await expect.poll(hidden).toBe('');
}
