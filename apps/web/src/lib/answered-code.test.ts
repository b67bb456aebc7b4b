import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answeredCode } from './answered-code.ts';

describe('a refusal', () => {
  it('is told in the words of its answer, else of its header', () => {
    assert.equal(answeredCode(400, 'account.userexists', 'other'), 'account.userexists');
    assert.equal(answeredCode(401, undefined, 'account.locked'), 'account.locked');
  });
  it('with 401 that says nothing is an unknown error', () => assert.equal(answeredCode(401, undefined, null), 'error.unknown'));
  it('of any other kind that says nothing is an unexpected one', () =>
    assert.equal(answeredCode(502, undefined, null), 'server.unexpected'));
});
