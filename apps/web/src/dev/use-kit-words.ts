import { useTranslation } from '../lib/i18n.ts';
import { type KitWord, kitWord } from './kit-words.ts';

export function useKitWords(): (word: KitWord) => string {
  const { i18n } = useTranslation();
  return (word) => kitWord(i18n.language, word);
}
