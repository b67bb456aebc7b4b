import { undrawableCharacters } from './drawable-letters.ts';
import { limits } from './limits.ts';

/** Keeps letters (with accents), blanks, and the apostrophe and hyphen of real names; the signer form's filter. */
export function keepNameCharacters(value: string): string {
  return value
    .normalize('NFC')
    .replace(/[^\p{L}\p{M} '’-]/gu, '')
    .replace(/ {2,}/g, ' ');
}

/** Non-empty, at most 50 characters, only what `keepNameCharacters` keeps. */
export function isPersonName(value: string): boolean {
  const trimmed = value.trim();
  return trimmed.length > 0 && trimmed.length <= limits.nameMax && keepNameCharacters(trimmed) === trimmed.normalize('NFC');
}

/** What a name would lose to `keepNameCharacters`, each character once, ten at most; '' when it keeps all. */
export function droppedFromName(value: string): string {
  const dropped = [...value.normalize('NFC').replace(/\s/gu, ' ')].filter((character) => keepNameCharacters(character) === '');
  return [...new Set(dropped)].slice(0, 10).join(' ');
}

/** `Ana Beatriz Souza` → `Ana B. S.`: for visitors who hold no capability. */
export function maskName(value: string): string {
  const [first = '', ...rest] = value.trim().split(/\s+/);
  return [first, ...rest.map((word) => `${word[0] ?? ''}.`)].join(' ');
}

/** Whether two names are the same but for case, accents, apostrophes, hyphens and blanks. */
export function isSameName(one: string, other: string): boolean {
  const bare = (name: string) =>
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/[^\p{L}]+/gu, ' ')
      .trim()
      .toLowerCase();
  return bare(one) === bare(other);
}

/** What of a name cannot be written in a document, to be told at once; invisible characters are dropped anyway. */
export function undrawableInName(value: string): string {
  return undrawableCharacters(value.replace(/[\p{Cc}\p{Cf}]/gu, ''));
}
