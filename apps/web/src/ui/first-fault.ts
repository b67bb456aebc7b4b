/** Until then the form has drawn what is wrong, or has gone there by itself. */
const DRAWN_MS = 60;

/**
 * A form that was sent and not taken leads to the first field that is wrong, wherever its button stands: on a telephone the field is often
 * out of sight. Who has gone on meanwhile, or types again, stays where they are.
 */
export function leadToFirstFault(page: Document): void {
  let sent: HTMLFormElement | null = null;
  let at: Element | null = null;
  let looking = 0;

  function look(): void {
    looking = 0;
    const held = page.activeElement;
    if (sent === null || (held !== at && held !== page.body)) return;
    const fault = [...sent.querySelectorAll<HTMLElement>('[aria-invalid="true"]')].find((field) => field.checkVisibility());
    if (fault === undefined) return;
    sent = null;
    // Who pressed Enter in one that is wrong is there.
    if (held?.getAttribute('aria-invalid') !== 'true') fault.focus();
  }
  const soon = (): void => {
    if (sent !== null && looking === 0) looking = window.setTimeout(look, DRAWN_MS);
  };

  page.addEventListener(
    'submit',
    ({ target }) => {
      if (!(target instanceof HTMLFormElement)) return;
      sent = target;
      at = page.activeElement;
      soon();
    },
    true,
  );
  page.addEventListener('input', () => (sent = null), true);
  // The server's refusal may come later.
  new MutationObserver(soon).observe(page.body, { subtree: true, attributes: true, attributeFilter: ['aria-invalid'] });
}
