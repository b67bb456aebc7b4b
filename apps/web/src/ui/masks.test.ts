import assert from 'node:assert/strict';
import { it } from 'node:test';
import { maskDate, wholeDate } from './masks.ts';

it('a date is read as people write and paste it: a figure alone, a dot or a hyphen between, the year first, the year in two figures before its hour', () => {
  const written = {
    '05122026': '05/12/2026',
    '05-12-2026': '05/12/2026',
    ' 05.12.2026 ': '05/12/2026',
    '5/12/2026': '05/12/2026',
    '1/2/2027': '01/02/2027',
    '15/2/2027': '15/02/2027',
    '2026-12-05': '05/12/2026',
    '2026-12-05T18:30:00.000Z': '05/12/2026',
    '05/12/2026 18:30': '05/12/2026',
    '05/12/26 18:30': '05/12/2026',
  };
  for (const [text, date] of Object.entries(written)) assert.equal(maskDate(text), date, text);
});

it('a date that is being typed is left as far as it is, key by key', () => {
  let text = '';
  const seen = [...'5/1/2027'].map((key) => (text = maskDate(text + key)));
  assert.deepEqual(seen, ['5', '05', '05/1', '05/01', '05/01/2', '05/01/20', '05/01/202', '05/01/2027']);
  assert.equal(maskDate('05/12/20'), '05/12/20', 'on the way to 2026');
  assert.equal(maskDate(''), '');
});

it('a year in two figures is of this century once the field is left', () => {
  assert.equal(wholeDate('05/12/26'), '05/12/2026');
  assert.equal(wholeDate('05/12/2026'), '05/12/2026');
  assert.equal(wholeDate('05/12'), '05/12');
});
