import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesByPage, isAsSigned, toldChanges } from './later-changes.ts';

const change = (kind: string, field: string | null = null, ...pages: number[]) => ({ kind, field, pages });
const bia = { fields: ['lavra_01234567_s2'], name: 'Bia Lima' };

test('who signed later is one line with all its pages, however many boxes it took', () => {
  const changes = [
    change('field-signed', 'lavra_01234567_s2', 1),
    change('field-filled', 'lavra_01234567_s2_evidencia', 4),
    change('field-filled', 'lavra_01234567_s2_caixa1', 2),
    change('field-filled', 'cidade', 2),
    change('validation-data'),
  ];
  assert.deepEqual(
    toldChanges(changes, [], [bia]).map(({ kind, by, fields, pages, permitted }) => [kind, by, fields.join(), pages.join(), permitted]),
    [
      ['signed', 'Bia Lima', '', '1,2,4', true],
      ['field-filled', null, 'cidade', '2', true],
      ['validation-data', null, '', '', true],
    ],
  );
});

test('what a signature does not allow comes first, and is never told as somebody’s signature', () => {
  const forbidden = [
    change('signature-field-added', 'lavra_01234567_s2', 3),
    change('page-content', null, 7),
    change('page-content', null, 2),
  ];
  const told = toldChanges([change('metadata'), ...forbidden], forbidden, [bia]);
  assert.deepEqual(
    told.map(({ kind, by, pages, permitted }) => [kind, by, pages.join(), permitted]),
    [
      ['signature-field-added', null, '3', false],
      ['page-content', null, '2,7', false],
      ['metadata', null, '', true],
    ],
  );
});

test('what changed is told page by page, and what is seen on none at the end', () => {
  const told = toldChanges([change('field-filled', 'a', 2, 1), change('metadata'), change('annotation-added', null, 2)], [], []);
  assert.deepEqual(
    changesByPage(told).map(({ page, changes }) => [page, ...changes.map(({ kind }) => kind)]),
    [
      [1, 'field-filled'],
      [2, 'field-filled', 'annotation-added'],
      [null, 'metadata'],
    ],
  );
});

test('a document is called somebody’s only where their signature holds over its bytes', () => {
  assert.ok(isAsSigned('TOTAL-PASSED', []));
  assert.ok(isAsSigned('INDETERMINATE', ['CHAIN_UNTRUSTED', 'REVOCATION_UNKNOWN']));
  assert.ok(isAsSigned('TOTAL-FAILED', ['CHANGED_AFTER_SIGNATURE', 'CERTIFICATE_REVOKED']));
  for (const broken of [
    'DIGEST_MISMATCH',
    'SIGNATURE_INVALID',
    'RANGE_NOT_A_REVISION',
    'SUBFILTER_UNSUPPORTED',
    'FILE_UNREADABLE',
    'A_NEW_ONE',
  ])
    assert.ok(!isAsSigned('TOTAL-FAILED', ['CHANGED_AFTER_SIGNATURE', broken]), broken);
  assert.ok(!isAsSigned(null, []));
});

test('names that a stranger’s file brings are shortened, and show what is invisible in them', () => {
  const [told] = toldChanges([change('field-filled', `a\u202e${'x'.repeat(1000)}`)], [], []);
  assert.ok((told?.fields[0]?.length ?? 0) < 100);
  assert.doesNotMatch(told?.fields[0] ?? '', /\u202e/);
});
