import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPerson } from './find-person.ts';

test('the owner of a contract is found however many addresses theirs is a part of', async (context) => {
  const others = Array.from({ length: 450 }, (_, n) => ({ id: `other-${n}`, login: `a${String(n).padStart(3, '0')}lia@x.com.br` }));
  const accounts = [...others, { id: 'lia', login: 'lia@x.com.br' }];
  // No session: the client looks for one there.
  const nothing = { getItem: () => null };
  Object.assign(globalThis, { localStorage: nothing, sessionStorage: nothing });
  context.mock.method(globalThis, 'fetch', (address: string) => {
    const { searchParams } = new URL(address, 'http://lavra.example');
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('size'))];
    return Promise.resolve(Response.json(accounts.slice(page * size, (page + 1) * size), { headers: { 'x-total-count': '451' } }));
  });
  assert.equal((await findPerson(' Lia@X.com.br ', null))?.id, 'lia');
  assert.equal(await findPerson('nobody@x.com.br', null), undefined);
  assert.equal(await findPerson('  ', null), null);
});
