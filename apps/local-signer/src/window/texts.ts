import { english } from './texts-en.ts';
import { spanish } from './texts-es.ts';
import { portuguese } from './texts-pt-br.ts';

export type Texts = typeof portuguese;
export type Language = 'pt-BR' | 'en' | 'es';

const languages: Record<Language, Texts> = { 'pt-BR': portuguese, en: english, es: spanish };

/** The first language of Accept-Language that the window speaks; Portuguese else. */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().toLowerCase().split(';q=');
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    if (tag.startsWith('pt')) return 'pt-BR';
    if (tag.startsWith('en')) return 'en';
    if (tag.startsWith('es')) return 'es';
  }
  return 'pt-BR';
}

/** The language of the terminal: what the system speaks (LC_ALL, LC_MESSAGES, LANG; Windows' own), where the program speaks it; Portuguese else. */
export function systemLanguage(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): Language {
  const named = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'];
  const system = platform === 'win32' && !named ? Intl.DateTimeFormat().resolvedOptions().locale : named;
  return languageOf(system?.replace('_', '-'));
}

export function textsIn(language: Language): Texts {
  return languages[language];
}
