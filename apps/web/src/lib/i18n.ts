import { sentenceOf, type Sentences, type SentenceValues } from '@lavra/domain';
import { useSyncExternalStore } from 'react';

export const locales = ['pt-br', 'en', 'es'] as const;
export type Locale = (typeof locales)[number];
/** Each as its own people call it. */
export const localeNames: Readonly<Record<Locale, string>> = { 'pt-br': 'Português', en: 'English', es: 'Español' };
const KEY = 'lavra-locale';

/** The sentence of a key, of several that of the first which has one; where none has, the last as it stands. */
export type Translate = (key: string | readonly string[], values?: SentenceValues) => string;

/** What a page says things with. Another language is another one. */
interface Translation {
  readonly t: Translate;
  readonly i18n: { readonly language: Locale; exists(key: string): boolean };
}

const loaded = new Map<Locale, Sentences>();
const listeners = new Set<() => void>();
let shown = translationIn('pt-br', {});

function translationIn(language: Locale, sentences: Sentences): Translation {
  const forms = new Intl.PluralRules(tagOf(language));
  return {
    t: (keys, values) => {
      let said = '';
      for (const key of [keys].flat()) {
        const sentence = sentenceOf(sentences, forms, key, values);
        if (sentence !== undefined) return sentence;
        said = key;
      }
      return said;
    },
    i18n: { language, exists: (key) => key in sentences },
  };
}

/** As documents name it (BCP 47). */
function tagOf(locale: Locale): string {
  return locale === 'pt-br' ? 'pt-BR' : locale;
}

/** What was chosen in this browser; else what the address, or this tab's page before, says of whoever it is for. */
function preferred(): Locale {
  const stored = localStorage.getItem(KEY) ?? new URLSearchParams(window.location.search).get('lang') ?? sessionStorage.getItem(KEY);
  return locales.find((locale) => locale === stored) ?? 'pt-br';
}

/** A page that has stood open for longer than its version is kept has those of the next one. @throws Error when none come */
async function fetchSentences(locale: Locale): Promise<Sentences> {
  const own = await fetch(addressOf(locale));
  const answer = own.status === 404 ? await fetch(`/i18n/${locale}.json`) : own;
  if (!answer.ok) throw new Error(`no sentences: ${answer.status}`);
  return (await answer.json()) as Sentences;
}

/** Where the sentences of this version of the page are: its server names them in its head. */
function addressOf(locale: Locale): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="locale-files"]')?.content.split(' ');
  return `/i18n/${named?.find((name) => name.startsWith(`${locale}.`)) ?? `${locale}.json`}`;
}

async function load(locale: Locale): Promise<Sentences> {
  const sentences = loaded.get(locale) ?? (await fetchSentences(locale));
  loaded.set(locale, sentences);
  return sentences;
}

/** The page waits for its sentences. */
export async function startI18n(): Promise<void> {
  const locale = preferred();
  // What is asked of the server meanwhile is asked in it.
  shown = translationIn(locale, {});
  await showLocale(locale);
}

/** Whether whoever uses this browser has ever chosen a language in it. */
export function hasChosenLocale(): boolean {
  return localStorage.getItem(KEY) !== null;
}

/** A language that was chosen, and is kept. */
export async function changeLocale(locale: Locale): Promise<void> {
  await load(locale);
  // Before it is shown: whoever then asks whose language it is hears that it was chosen.
  localStorage.setItem(KEY, locale);
  nameToServer(locale);
  await showLocale(locale);
}

/**
 * The language of whoever a page is for, where this browser's user has chosen none. Its tab keeps it, and the windows that it opens. Where its
 * sentences cannot be had, or somebody has chosen another one by the time that they are there, the page stays in the one it has.
 */
export async function offerLocale(locale: Locale): Promise<void> {
  sessionStorage.setItem(KEY, locale);
  await load(locale).catch(() => {});
  if (loaded.has(locale) && !hasChosenLocale()) await showLocale(locale);
}

async function showLocale(locale: Locale): Promise<void> {
  shown = translationIn(locale, await load(locale));
  document.documentElement.lang = tagOf(locale);
  for (const listener of listeners) listener();
}

/** The language that the page is in. */
export function shownLocale(): Locale {
  return shown.i18n.language;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The words of the page, in whichever language it is in. */
export function useTranslation(): Translation {
  return useSyncExternalStore(subscribe, () => shown);
}

/**
 * The server names the sentences in the page's head, so that they come beside the scripts and not after them. Portuguese it names by
 * itself: who has chosen nothing else gets no cookie.
 */
function nameToServer(locale: Locale): void {
  const keeps = locale === 'pt-br' ? 0 : 31_536_000;
  document.cookie = `${KEY}=${locale}; path=/; max-age=${keeps}; samesite=strict`;
}
