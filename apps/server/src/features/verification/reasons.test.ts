import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reasonCodes } from '@lavra/pades';
import { locales, readMessages } from '../../language/translator.ts';

const localesDir = join(fileURLToPath(new URL('../../../../../', import.meta.url)), 'locales');

test('every reason of a verdict has a sentence in three languages, and no sentence is left over', () => {
  for (const locale of locales) {
    const table = readMessages(localesDir, locale);
    const told = Object.keys(table).flatMap((key) => (key.startsWith('verify.reason.') ? [key.slice('verify.reason.'.length)] : []));
    // FILE_UNREADABLE is the server's own.
    assert.deepEqual(told.toSorted(), [...reasonCodes, 'FILE_UNREADABLE'].toSorted(), locale);
  }
});
