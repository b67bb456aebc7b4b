import { preferredTheme, showTheme } from './lib/theme.ts';
import { readToken } from './lib/token.ts';

/** Where no browser tells of it the page begins all the same. */
const UNTOLD_MS = 1000;

/** Something of the page has been seen; of one that nobody looks at nothing is. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) return resolve();
    setTimeout(resolve, UNTOLD_MS);
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
  });
}

/** Puts into the page what its server wrote for then. */
function put(what: string): void {
  const held = document.querySelector<HTMLTemplateElement>(`template.${what}`);
  held?.replaceWith(held.content);
}

// What stands in the page itself is shown first; the scripts come meanwhile, and begin then.
showTheme(preferredTheme());
// Whether somebody is signed in here the browser knows, and the server does not.
if (readToken() !== null) put('of-signed-in');
painted()
  .then(() => {
    put('once-seen');
    return import('./main.tsx');
  })
  .catch(() => document.querySelector('.late')?.classList.add('is-certain'));
