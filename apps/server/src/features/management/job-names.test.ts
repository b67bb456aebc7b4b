import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { jobs } from '../../features.ts';

test('every kind of task has a name for administrators, in three languages', () => {
  for (const locale of ['pt-br', 'en', 'es']) {
    const address = new URL(`../../../../../locales/${locale}/admin-installation.json`, import.meta.url);
    const texts = JSON.parse(readFileSync(address, 'utf8')) as Record<string, string>;
    const unnamed = jobs.map(({ name }) => `jobs.kind.${name}`).filter((key) => !texts[key]);
    assert.deepEqual(unnamed, [], `give it a name in locales/${locale}/admin-installation.json`);
  }
});
