import assert from 'node:assert/strict';
import { it } from 'node:test';
import { getSignatureStatus } from '@lavra/api';
import { callApi, type Kept } from './api-client.ts';

it('an answer that is kept is asked for with its tag, and 304 is the answer that is kept', async (t) => {
  const sent: (string | null)[] = [];
  t.mock.method(globalThis, 'fetch', async (_address: string, init: RequestInit) => {
    const tag = new Headers(init.headers).get('If-None-Match');
    sent.push(tag);
    return tag === '"t"' ? new Response(null, { status: 304 }) : new Response('{"status":"SENT"}', { headers: { ETag: '"t"' } });
  });
  // Nobody is signed in.
  const empty = { getItem: () => null };
  Object.assign(globalThis, { localStorage: empty, sessionStorage: empty });
  const kept: Kept = { tag: null, reply: undefined };
  const asked = { params: { processId: 'p', signerId: 's' } };
  const first = await callApi(getSignatureStatus, { ...asked, kept });
  assert.equal(await callApi(getSignatureStatus, { ...asked, kept }), first);
  await callApi(getSignatureStatus, asked);
  assert.deepEqual(sent, [null, '"t"', null]);
});
