import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { changeKindCodes, noteCodes, reasonCodes } from '@lavra/pades';
import { locales, readMessages } from '../../language/translator.ts';

const localesDir = join(fileURLToPath(new URL('../../../../../', import.meta.url)), 'locales');

function toldIn(locale: (typeof locales)[number], prefix: string): string[] {
  const keys = Object.keys(readMessages(localesDir, locale));
  return keys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : [])).toSorted();
}

test('every reason of a verdict has a sentence in three languages, and no sentence is left over', () => {
  // FILE_UNREADABLE is the server's own.
  for (const locale of locales) assert.deepEqual(toldIn(locale, 'verify.reason.'), [...reasonCodes, 'FILE_UNREADABLE'].toSorted(), locale);
});

test('so have every note, which is no fault, and every change that may come after a signature', () => {
  for (const locale of locales) {
    assert.deepEqual(toldIn(locale, 'verify.note.'), noteCodes.toSorted(), locale);
    // Who signed is told by name.
    assert.deepEqual(toldIn(locale, 'verify.change.'), [...changeKindCodes, 'signed'].toSorted(), locale);
  }
});
