/** Until then a component that takes the keys somewhere itself has done so. */
const SETTLED_MS = 60;

const HEADINGS = 'h1, h2, h3';

/**
 * What has the keys may go away by its own act: a row that was removed, a step that was passed, a button that is busy. The keys then
 * stand on nothing, and Tab begins at the top of the page. Here they wait for what is only busy, and go to the nearest heading of what
 * is left when it is gone. Who lets go by pressing on an empty place has let go.
 */
export function keepHeldFocus(page: Document): void {
  let held: HTMLElement | null = null;
  let around: readonly Element[] = [];
  let isBusy = false;
  let settling = 0;

  function settle(): void {
    settling = 0;
    if (held === null) return;
    if (page.activeElement !== null && page.activeElement !== page.body) {
      isBusy &&= held.matches(':disabled');
      return;
    }
    if (!held.isConnected || !held.checkVisibility()) return takeToHeading(page, around);
    if (held.matches(':disabled')) return;
    if (isBusy) held.focus({ preventScroll: true });
    else held = null;
  }
  const soon = (): void => {
    // It may be free again before this settles.
    isBusy ||= held?.matches(':disabled') === true;
    if (settling === 0 && held !== null) settling = window.setTimeout(settle, SETTLED_MS);
  };

  page.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    held = target;
    isBusy = false;
    around = ancestors(target);
  });
  page.addEventListener('focusout', soon);
  new MutationObserver(soon).observe(page.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  });
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let one = element.parentElement; one !== null; one = one.parentElement) found.push(one);
  return found;
}

/** A dialog that is open keeps the keys inside. */
function takeToHeading(page: Document, around: readonly Element[]): void {
  const dialog = [...page.querySelectorAll('dialog:modal')].at(-1) ?? null;
  for (const one of around) {
    if (!one.isConnected || (dialog !== null && !dialog.contains(one))) continue;
    const heading = [...one.querySelectorAll<HTMLElement>(HEADINGS)].find((each) => each.checkVisibility());
    if (heading === undefined) continue;
    if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
    return heading.focus({ preventScroll: true });
  }
}
