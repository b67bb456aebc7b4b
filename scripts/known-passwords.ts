import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/**
 * Makes the list that new passwords are held against: `node scripts/known-passwords.ts LIST`, a password a line, the most used first
 * (docs/decisions/038 says which one it was made from). Of the first hundred thousand those are kept, in lower case, that a password
 * of ours could be: six characters with two letters and a digit. Four bytes of each one's SHA-256, in order: nothing to be read,
 * and one in three hundred thousand others is taken for one of them.
 */
const TAKEN = 100_000;
const target = new URL('../apps/server/src/features/accounts/known-passwords.bin', import.meta.url);

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('which list? node scripts/known-passwords.ts LIST');
const lines = (await readFile(path, 'latin1')).split(/\r?\n/).slice(0, TAKEN);
const candidates = new Set(lines.map((line) => line.toLowerCase()).filter(couldBeOurs));
const marks = Uint32Array.from([...candidates], (word) => createHash('sha256').update(word).digest().readUInt32BE(0)).toSorted();
const bytes = Buffer.alloc(marks.length * 4);
for (const [index, mark] of marks.entries()) bytes.writeUInt32BE(mark, index * 4);
await writeFile(target, bytes);
process.stdout.write(`${candidates.size} of ${lines.length}\n`);

function couldBeOurs(word: string): boolean {
  return word.length >= 6 && /\d/.test(word) && (word.match(/[a-z]/g) ?? []).length >= 2;
}
