import type { Page } from '@playwright/test';

/** What moves, and what would while something is awaited. */
export function moving(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const waiting = document.createElement('span');
    waiting.className = 'spinner';
    document.body.append(waiting);
    const found = document.getAnimations().map((one) => ('animationName' in one ? String(one.animationName) : 'transition'));
    waiting.remove();
    return found;
  });
}

/** Words that stand outside of the screen, or that what they stand in cuts off; what may be scrolled to is not lost. */
export function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const mayScroll = (from: Element, end: Element) => {
      for (let box: Element | null = from; box && box !== end; box = box.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) return true;
      return false;
    };
    const found = new Set<string>();
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > room) found.add(`wider than the screen: ${document.documentElement.scrollWidth} px`);
    const stage = document.querySelector('dialog[open]') ?? document.body;
    const words = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (text === '' || !parent?.checkVisibility() || parent.closest('.visually-hidden, .skip-link, .viewer-pages, .stamp, option'))
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (let box: Element | null = parent; box && box !== stage; box = box.parentElement) {
        const { overflowX, clipPath, textOverflow } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        // What is cut on purpose says so, and is told whole.
        if (textOverflow === 'ellipsis' && box.closest('[title]')) break;
        if (clipPath === 'none' && overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1) found.add(`cut: ${text}`);
      }
      const scrolled = mayScroll(parent, stage);
      for (const line of range.getClientRects()) if (!scrolled && (line.right > room + 1 || line.left < -1)) found.add(`outside: ${text}`);
    }
    return [...found];
  });
}

/** Where a page leaves the one grid: what begins elsewhere than the header, a heading with another distance, and room left below what ends a card. */
export function offGrid(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const start = (one: Element) => Math.round(one.getBoundingClientRect().left + parseFloat(getComputedStyle(one).paddingLeft));
    const [header, main] = [document.querySelector('.header-inner'), document.querySelector('main')];
    if (header && main && !main.closest('.split, .admin') && start(header) !== start(main))
      found.push(`begins at ${start(main)} px, its header at ${start(header)}`);
    const heading = main?.querySelector(':scope > h1');
    const next = heading?.nextElementSibling;
    const below = heading && next ? Math.round(next.getBoundingClientRect().top - heading.getBoundingClientRect().bottom) : 0;
    if (below > 16) found.push(`${below} px below its heading`);
    for (const card of main?.querySelectorAll('.hint + .card') ?? []) {
      const above = card.getBoundingClientRect().top - (card.previousElementSibling?.getBoundingClientRect().bottom ?? 0);
      if (above < 12) found.push(`a card ${Math.round(above)} px below what tells of it`);
    }
    const bottom = (one: Element | Range) => one.getBoundingClientRect().bottom;
    const isSeen = (one: Element) => {
      const { borderTopWidth, backgroundColor } = getComputedStyle(one);
      const isBox = parseFloat(borderTopWidth) > 0 || backgroundColor !== 'rgba(0, 0, 0, 0)';
      const hasWords = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      return one.checkVisibility() && (isBox || hasWords || one.children.length === 0 || one.matches('td, th'));
    };
    for (const card of document.querySelectorAll('.card')) {
      const { paddingBottom, borderBottomWidth } = getComputedStyle(card);
      // Cards side by side are as tall as the tallest.
      const isBeside = [card.previousElementSibling, card.nextElementSibling].some((one) => one && bottom(one) === bottom(card));
      const seen = [...card.querySelectorAll('*')].filter(isSeen);
      const room = bottom(card) - parseFloat(paddingBottom) - parseFloat(borderBottomWidth) - Math.max(...seen.map(bottom));
      if (!isBeside && room > 12) found.push(`${Math.round(room)} px of room below what ends: ${card.textContent?.trim().slice(0, 40)}`);
    }
    return found;
  });
}

/** Where the house's colours are gone: what can be reached by keys and has no ring when it is, or is chosen and looks as what is not. */
export function lostInForcedColors(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const stage = document.querySelector('dialog[open]') ?? document.body;
    const nameOf = (one: Element) =>
      `${one.tagName.toLowerCase()} ${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}`;
    const all = (selector: string) => [...stage.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility());
    const found: string[] = [];
    const before = document.activeElement;
    for (const one of all(
      'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary, [tabindex="0"]',
    )) {
      // What has the focus already keeps the look that it came with.
      if (document.activeElement === one) one.blur();
      one.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
      if (document.activeElement !== one) continue;
      // A control that is drawn over, as a switch or a file's, has its ring where it is drawn.
      const around = [one, one.parentElement, one.nextElementSibling, one.closest('label')].filter((box) => box !== null);
      const hasRing = around.some((box) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(box);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
      });
      if (!hasRing) found.push(`no ring: ${nameOf(one)}`);
    }
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    const look = (one: Element) => {
      const { backgroundColor, borderColor, borderWidth, color, textDecorationLine, outline } = getComputedStyle(one);
      return [backgroundColor, borderColor, borderWidth, color, textDecorationLine, outline].join(' ');
    };
    const states = ['aria-selected', 'aria-pressed', 'aria-current', 'aria-checked'];
    for (const state of states)
      for (const one of all(`[${state}]:not([${state}=false])`)) {
        const { role } = one;
        const others = [...(one.parentElement?.children ?? [])].filter(
          (other) =>
            other !== one && other.tagName === one.tagName && other.role === role && (other.getAttribute(state) ?? 'false') === 'false',
        );
        if (others.some((other) => look(other) === look(one))) found.push(`chosen, and looks as what is not: ${nameOf(one)}`);
      }
    return found;
  });
}
