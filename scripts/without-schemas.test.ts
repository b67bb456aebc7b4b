import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as wire from '@lavra/api';
import { withoutSchemas } from '../apps/web/without-schemas.ts';

const isCall = (value: unknown): value is wire.Call =>
  typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value;
const asBuilt = (value: unknown): unknown => JSON.parse(withoutSchemas(value) ?? 'null');

describe('the wire as the pages have it', () => {
  const exported = Object.entries(wire);
  const calls = exported.filter(([, value]) => isCall(value)) as [string, wire.Call][];

  it('has calls that go where the server has them, by the same method, know whether and how anything comes back, and carry no schema', () => {
    assert.ok(calls.length > 100, `${calls.length} calls`);
    for (const [name, call] of calls) {
      const { method, path, kind, reply } = call;
      assert.deepEqual(asBuilt(call), { method, path, ...(kind ? { kind } : {}), ...(reply ? { reply: {} } : {}) }, name);
    }
  });

  it('says the same words and numbers', () => {
    const words = [wire.LAVRA_SIGNER, wire.auditKinds, wire.auditListMost, wire.jobsCountedTo];
    assert.deepEqual(words.map(asBuilt), words);
  });

  it('leaves the schemas by which pages judge themselves as they are: fields of forms, and what LAVRA_SIGNER says', () => {
    for (const [name, value] of exported)
      if (typeof value === 'object' && value !== null && ('written' in value || 'safeParse' in value))
        assert.equal(withoutSchemas(value), undefined, name);
    assert.equal(withoutSchemas(wire.meetingCode), undefined);
  });
});
