import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readListPlace } from './list-address.ts';

const usual = { sortBy: 'id', direction: 'asc' } as const;
const read = (address: string) => readListPlace(new URLSearchParams(address), ['id', 'name'], usual);

describe('a list’s address', () => {
  it('holds page and sort as ?page=N&sort=field,order', () => {
    assert.deepEqual(read('page=3&sort=name,desc'), { page: 2, sortBy: 'name', direction: 'desc' });
    assert.deepEqual(read(''), { page: 0, ...usual });
  });

  it('that nobody made leads to a place that there can be', () => {
    assert.deepEqual(read('page=-4&sort=salary,up'), { page: 0, ...usual });
    fc.assert(
      fc.property(fc.string(), fc.string(), (page, sort) => {
        const place = read(new URLSearchParams({ page, sort }).toString());
        assert.ok(Number.isInteger(place.page) && place.page >= 0 && ['id', 'name'].includes(place.sortBy));
      }),
    );
  });
});
