import { DomainError } from './errors.ts';

/** Tabs, line breaks and every other blank: what a reader sees as one. Not U+FEFF, which `\s` counts among them. */
const BLANKS = /[\t-\r\u0085\u2028\u2029\p{Zs}]+/gu;

const withSingleBlanks = (text: string) => text.normalize('NFC').replace(BLANKS, ' ').replace(/^ | $/g, '');

/**
 * What nobody sees and what changes how the rest is read: controls, marks of direction, zero widths, tags, fillers, halves of
 * a character, private and non-characters.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800\u180e]/u;

/** Scripts that are misspelt without joiners (Unicode 16, §23.2): Arabic's and India's, and their neighbours'. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;

/** A joiner between letters that need it, or within a picture; a picture's variant. */
function belongs(character: string, before: string, after: string): boolean {
  if (character === '\u200c' || character === '\u200d') {
    if (JOINED.test(before) && JOINED.test(after)) return true;
    return character === '\u200d' && PICTURE.test(before) && PICTURE.test(after);
  }
  return (character === '\ufe0e' || character === '\ufe0f') && /[\p{Emoji}]/u.test(before);
}

/** Each invisible character of a text as `U+202E`, once. */
export function invisibleCharacters(text: string): string[] {
  const characters = [...text];
  const found = characters.filter(
    (character, at) => INVISIBLE.test(character) && !belongs(character, characters[at - 1] ?? '', characters[at + 1] ?? ''),
  );
  return [...new Set(found)].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
}

const LISTED = 5;

/**
 * The one door of every text of one line that a person writes: composed (NFC), runs of blanks, line breaks too, as one blank.
 * What cannot be seen is not dropped in silence: it is refused beside its field.
 * @throws DomainError text.invisible
 */
export function cleanLine(text: string, field: string): string {
  const line = withSingleBlanks(text);
  const invisible = invisibleCharacters(line);
  if (invisible.length > 0)
    throw new DomainError('text.invisible', { field, params: { characters: invisible.slice(0, LISTED).join(', ') } });
  return line;
}

/**
 * A text that nobody was asked to mend, as it may stand in a line of ours: what a program said of itself, what an older version
 * took. Every invisible character leaves a mark behind.
 */
export function markInvisible(text: string): string {
  const characters = [...withSingleBlanks(text)];
  return characters
    .map((one, at) => (INVISIBLE.test(one) && !belongs(one, characters[at - 1] ?? '', characters[at + 1] ?? '') ? '?' : one))
    .join('');
}
