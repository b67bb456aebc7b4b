import { latin1Text } from './objects.ts';
import type { Pdf, StrictObject } from './pdf.ts';
import { eachReferred } from './references.ts';

/** ISO 32000-2 Annex C: no object has a higher number, and no generation is higher than 65535. */
const highest = 8_388_607n;
const token = /[^\0\t\n\f\r ()<>[\]{}/%]+/g;
const white = /^[\0\t\n\f\r ]*$/;

/**
 * Every object that some reader could find referred to in a text that is not plainly spelled: `+57 0 R`, `57.9 0 R`, a number that
 * wraps around, a value that another one of the same key replaces. Rather one too many.
 */
export function spelledReferences(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  // A per cent sign may begin a comment or stand in a string.
  for (const one of new Set([text, text.replaceAll(/%[^\r\n]*/g, ' ')])) collect(one, found);
  return found;
}

function collect(text: string, found: Set<number>): void {
  const words = [...text.matchAll(token)].map((match) => ({ word: match[0], from: match.index, to: match.index + match[0].length }));
  for (const [index, { word, from }] of words.entries()) {
    const glued = /^[-+.\d]+R/.test(word);
    if (!glued && !word.startsWith('R')) continue;
    const numberAt = index - (glued ? 1 : 2);
    const number = words[numberAt];
    const beside = words.slice(Math.max(0, numberAt), index + 1);
    if (number === undefined || text[from - 1] === '/' || text[number.from - 1] === '/') continue;
    if (beside.some((one, at) => at > 0 && !white.test(text.slice(beside[at - 1]?.to ?? 0, one.from)))) continue;
    for (const value of readings(number.word)) found.add(value);
  }
}

/** What a number may be to readers: cut or rounded at its point, without its signs, modulo a machine's word. */
function readings(word: string): number[] {
  const whole = /^[-+]*(\d*)/.exec(word)?.[1] ?? '';
  const candidates = [whole, word.replaceAll(/\D/g, '')].filter((digits) => digits !== '' && digits.length <= 400).map(BigInt);
  const cut = candidates[0];
  if (cut !== undefined && word.includes('.')) candidates.push(cut + 1n);
  const wrapped = candidates.flatMap((value) =>
    [32n, 64n].flatMap((bits) => [value % 2n ** bits, (2n ** bits - (value % 2n ** bits)) % 2n ** bits]),
  );
  return [...new Set([...candidates, ...wrapped])].filter((value) => value > 0n && value <= highest).map(Number);
}

const none: readonly number[] = [];

/** Where readers could disagree on an object: references that its spelling could be taken for, beside those that were read. */
export async function otherReferences(pdf: Pdf, num: number, { value, ambiguous, strange }: StrictObject): Promise<readonly number[]> {
  if (!ambiguous && strange !== true) return none;
  const read = new Set<number>();
  eachReferred(value, (one) => read.add(one));
  return [...spelledReferences(await spellingOf(pdf, num))].filter((one) => !read.has(one));
}

/** The object as it is spelled, without a stream's data. Empty when it is not there. */
async function spellingOf(pdf: Pdf, num: number): Promise<string> {
  const { reader } = pdf;
  const entry = await pdf.entry(num);
  if (entry?.kind === 'offset') {
    const found = await reader.indirectObject(entry.offset);
    if (found === null) return '';
    reader.work.spend(found.end - entry.offset);
    return latin1Text(await reader.window(entry.offset, found.end - entry.offset));
  }
  const container = entry?.kind === 'compressed' ? await pdf.entry(entry.stream) : undefined;
  return container?.kind === 'offset' ? latin1Text((await pdf.objectStreamAt(container.offset)).spelling(num)) : '';
}
