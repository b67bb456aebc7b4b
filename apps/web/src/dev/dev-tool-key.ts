/** Where the page is, and how it goes elsewhere. */
interface Goes {
  readonly pathname: string;
  navigate(to: string): unknown;
  navigate(delta: number): unknown;
}

const KIT = '/dev/kit';

/** Ctrl-h, while developing: shows the kit of parts in place of the page, and the page again. Ends with what it answers. */
export function watchDevToolKey(target: EventTarget, page: Goes): () => void {
  function heard(event: Event): void {
    const { ctrlKey, key, altKey, metaKey, shiftKey } = event as KeyboardEvent;
    if (!ctrlKey || altKey || metaKey || shiftKey || key.toLowerCase() !== 'h') return;
    event.preventDefault();
    if (page.pathname === KIT) page.navigate(-1);
    else page.navigate(KIT);
  }
  target.addEventListener('keydown', heard);
  return () => target.removeEventListener('keydown', heard);
}
