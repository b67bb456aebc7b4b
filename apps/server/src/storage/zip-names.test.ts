import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { zipNames } from './zip-names.ts';

it('files of a zip are unpacked beside each other on any computer', () => {
  assert.deepEqual(zipNames(['CON.pdf', 'con.PDF', 'contrato.pdf', 'Contrato.pdf', 'lpt1', 'console.pdf', 'fim. ', '...']), [
    '_CON.pdf',
    '_con (2).PDF',
    'contrato.pdf',
    'Contrato (2).pdf',
    '_lpt1',
    'console.pdf',
    'fim',
    '_',
  ]);
  const name = fc.oneof(fc.constantFrom('a.pdf', 'A.pdf', 'a (2).pdf', 'á.pdf', 'á.pdf', 'nul', 'a', '.pdf'), fc.string({ minLength: 1 }));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 20 }), (names) => {
      const given = zipNames(names);
      assert.equal(given.length, names.length);
      assert.equal(new Set(given.map((one) => one.normalize('NFC').toLowerCase())).size, names.length);
      for (const one of given) assert.doesNotMatch(one, /^(con|nul)(\.|$)|[. ]$|^$/i);
    }),
  );
});
