/** The part of the router that the key needs. */
interface Goes {
  readonly state: { readonly location: { readonly pathname: string } };
  navigate(to: string | number): unknown;
}

const KIT = '/dev/kit';

/** Ctrl-h, while developing: shows the kit of parts in place of the page, and the page again. */
export function watchDevToolKey(target: EventTarget, router: Goes): void {
  target.addEventListener('keydown', (event) => {
    const { ctrlKey, key, altKey, metaKey, shiftKey } = event as KeyboardEvent;
    if (!ctrlKey || altKey || metaKey || shiftKey || key.toLowerCase() !== 'h') return;
    event.preventDefault();
    router.navigate(router.state.location.pathname === KIT ? -1 : KIT);
  });
}
