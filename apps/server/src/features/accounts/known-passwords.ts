import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** What Brazil's passwords are made of and no list from elsewhere has: one of these with digits or signs around it is nobody's secret. */
const WORDS: ReadonlySet<string> = new Set(
  `senha mudar trocar teste brasil brazil brasileiro flamengo corinthians palmeiras santos vasco gremio grêmio cruzeiro botafogo fluminense
   internacional atletico atlético saopaulo sãopaulo acesso admin administrador usuario usuário lavra assinatura documento bemvindo jesus
   jesuscristo deus deusefiel deuséfiel familia família amor saudade`.split(/\s+/),
);

let marks: Promise<Buffer> | undefined;

/** The list, read when the first new password comes: four bytes each, in order (scripts/known-passwords.ts). */
function list(): Promise<Buffer> {
  marks ??= readFile(new URL('known-passwords.bin', import.meta.url));
  return marks;
}

/**
 * True for a password that whoever guesses tries first: one of the hundred thousand most used, whatever its case, or a word that
 * everybody here uses with something around it. Asks nobody outside.
 */
export async function isKnownPassword(password: string): Promise<boolean> {
  const word = password.normalize('NFKC').toLowerCase();
  if (WORDS.has(word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))) return true;
  return holds(await list(), createHash('sha256').update(word).digest().readUInt32BE(0));
}

/** Binary search. */
function holds(sorted: Buffer, mark: number): boolean {
  let [from, to] = [0, sorted.length / 4];
  while (from < to) {
    const middle = (from + to) >> 1;
    const found = sorted.readUInt32BE(middle * 4);
    if (found === mark) return true;
    if (found < mark) from = middle + 1;
    else to = middle;
  }
  return false;
}
