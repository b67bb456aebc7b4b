import { createHash, randomInt } from 'node:crypto';

const HOW_MANY = 10;
/** 32 signs that nobody takes for one another: 16 of them are 80 random bits. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz023456789';
const SHAPE = /^[a-z0-9]{16}$/;

/** Ten new codes, as they are shown (in groups of four), and what is kept of them. */
export function newBackupCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: HOW_MANY }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => SIGNS[randomInt(SIGNS.length)]).join('')).join('-'),
  );
  return { codes, hashes: codes.map((code) => backupCodeHash(code) ?? '') };
}

/** SHA-256 of a code however it was typed; null: it is none. With 80 random bits a slow hash would add nothing. */
export function backupCodeHash(typed: string): string | null {
  const code = typed.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '');
  return SHAPE.test(code) ? createHash('sha256').update(code).digest('hex') : null;
}
