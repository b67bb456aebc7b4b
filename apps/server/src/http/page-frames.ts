import { RIBBON_PROFILE } from '../config.ts';
import type { Ctx } from '../context.ts';
import type { Locale } from '../language/translator.ts';

type Say = (key: string, values?: Readonly<Record<string, number>>) => string;

interface Asked {
  query: URLSearchParams;
  /** How large a file may be here. */
  maxUploadBytes: number;
}

interface Frame {
  path: RegExp;
  /** Only for whoever is signed in: the browser knows it, the server does not, and `boot.ts` shows it then. */
  isOfSignedIn?: true;
  /** As the page itself begins, with what depends on nobody. */
  of(say: Say, asked: Asked): string;
}

const page = (title: string, rest: string): string => `<div class="page page-list" aria-hidden="true"><h1>${title}</h1>${rest}</div>`;
const waiting = (rows: number): string => `<div class="loading">${'<div class="skeleton"></div>'.repeat(rows)}</div>`;

const frames: readonly Frame[] = [
  {
    path: /^\/validateLogin$/,
    of: (say, { query }) => {
      const intro = say(query.get('docId') ? 'verify.introPrefilled' : 'verify.intro');
      return page(
        say('verify.title'),
        `<div class="two-ways"><section class="card"><h2>${say('verify.byIdentifier')}</h2><p>${intro}</p></section></div>`,
      );
    },
  },
  {
    path: /^\/signer\/[^/]+$/,
    of: (say) => page(say('signer.title'), `<p>${say('signer.opening')}</p>${waiting(12)}`),
  },
  {
    path: /^\/signature$/,
    isOfSignedIn: true,
    of: (say, { maxUploadBytes }) => page(say('home.title'), dropzone(say, Math.floor(maxUploadBytes / 1024 / 1024)) + waiting(6)),
  },
];

/** As `file-dropzone.tsx` draws it: both sentences, of which the style shows the one for a mouse or a finger, and a button that does nothing yet. */
function dropzone(say: Say, megabytes: number): string {
  return [
    '<div class="dropzone"><svg class="icon" width="22" height="22"></svg><div class="grow">',
    `<p><strong class="by-mouse">${say('home.drop')}</strong><strong class="by-finger">${say('home.choose')}</strong></p>`,
    `<p class="hint by-mouse">${say('home.dropHint', { megabytes })}</p><p class="hint by-finger">${say('home.chooseHint', { megabytes })}</p>`,
    `</div><button type="button" class="primary" disabled>${say('home.import')}</button></div>`,
  ].join('');
}

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * What stands in a page before its scripts have come, in the reader's language: the first frame that the scripts draw is the same, and takes
 * its place. Not told to screen readers, which are told the page itself. Empty where the page depends on who opens it, but for what everybody
 * sees who is signed in.
 */
export function pageFrame({ translate, config }: Pick<Ctx, 'translate' | 'config'>, locale: Locale, url: string): string {
  const [path = '', query] = url.split('?', 2);
  const say: Say = (key, values) => translate(locale, key, values).replace(/[&<>]/g, (sign) => escaped[sign] ?? sign);
  const ribbon = config.profile === RIBBON_PROFILE ? `<aside class="ribbon" aria-hidden="true">${say('shell.ribbon')}</aside>` : '';
  const frame = frames.find((one) => one.path.test(path));
  const shown = frame?.of(say, { query: new URLSearchParams(query), maxUploadBytes: config.maxUploadBytes }) ?? '';
  return ribbon + (frame?.isOfSignedIn ? `<template class="of-signed-in">${shown}</template>` : shown);
}
