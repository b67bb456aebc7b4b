import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesByPage, toldChanges } from './later-changes.ts';

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
