import { preferredTheme, showTheme } from './lib/theme.ts';

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

// What stands in the page itself is shown first; the scripts come meanwhile, and begin then.
showTheme(preferredTheme());
painted()
  .then(() => import('./main.tsx'))
  .catch(() => document.querySelector('.late')?.classList.add('is-certain'));
