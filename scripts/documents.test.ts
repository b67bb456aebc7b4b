import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
/** Where a path without its beginning may stand: what each page says of itself. */
const roots = ['', 'apps/server/src', 'apps/server/src/features', 'apps/server/src/features/signing', 'apps/server/src/features/sealing'];
/** Names of a kind, not of a file. */
const patterns = /^x\.|verb-noun|NNN|[*{]/;

describe('the documents', () => {
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');

    it(`name no file that is not there: ${page}`, () => {
      const named = [...text.matchAll(/`([\w@./{},*-]+\/[\w.{},*-]+\.(?:tsx?|mjs|json|css))`/g)].map(([, path = '']) => path);
      const missing = named.filter((path) => !patterns.test(path) && !roots.some((root) => existsSync(join(root, path))));
      assert.deepEqual(missing, []);
    });

    it(`link nowhere that is not there: ${page}`, () => {
      const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[\w-]+)?\)/g)].map(([, path = '']) => path);
      assert.deepEqual(
        links.filter((path) => !existsSync(join(dirname(page), path))),
        [],
      );
    });
  }
});
