import type { Locale, Translator } from '../language/translator.ts';

type Say = (key: string) => string;

interface Frame {
  path: RegExp;
  /** As the page itself begins, with what depends on nobody. */
  of(say: Say, query: URLSearchParams): string;
}

const page = (title: string, rest: string): string => `<div class="page page-list" aria-hidden="true"><h1>${title}</h1>${rest}</div>`;
const waiting = `<div class="loading">${'<div class="skeleton"></div>'.repeat(6)}</div>`;

const frames: readonly Frame[] = [
  {
    path: /^\/validateLogin$/,
    of: (say, query) => {
      const intro = say(query.get('docId') ? 'verify.introPrefilled' : 'verify.intro');
      return page(
        say('verify.title'),
        `<div class="two-ways"><section class="card"><h2>${say('verify.byIdentifier')}</h2><p>${intro}</p></section></div>`,
      );
    },
  },
  {
    path: /^\/signer\/[^/]+$/,
    of: (say) => page(say('signer.title'), `<p>${say('signer.opening')}</p>${waiting}`),
  },
];

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * What stands in a page before its scripts have come, in the reader's language: the first frame that the scripts draw is the same, and takes
 * its place. Not told to screen readers, which are told the page itself. Empty where the page depends on who opens it.
 */
export function pageFrame(translate: Translator, locale: Locale, url: string): string {
  const [path = '', query] = url.split('?', 2);
  const say: Say = (key) => translate(locale, key).replace(/[&<>]/g, (sign) => escaped[sign] ?? sign);
  return frames.find((frame) => frame.path.test(path))?.of(say, new URLSearchParams(query)) ?? '';
}
