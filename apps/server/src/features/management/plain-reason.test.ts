import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainReason } from './plain-reason.ts';

test('the reason of a failed job names nobody: no address, id, CPF or key stays in it', () => {
  const given = [
    'Can’t send mail to <ana@exemplo.com.br>: 550 no such user ana.maria+teste@exemplo.com.br',
    'signer 6b3c0a52-9d5e-4b5c-8f0e-5d3f4f1f9a11 has CPF 529.982.247-25 (52998224725)',
    'GET https://user:secret@psc.example.com/oauth?code=abc answered 500',
    'token eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxIn0 refused',
  ].map(plainReason);
  assert.deepEqual(given, [
    'Can’t send mail to <<e-mail>>: 550 no such user <e-mail>',
    'signer <id> has CPF <number> (<number>)',
    'GET <address> answered 500',
    'token <key> refused',
  ]);
  assert.equal(plainReason('connect ECONNREFUSED 10.0.0.1:465'), 'connect ECONNREFUSED 10.0.0.1:465');
  assert.equal(plainReason(null), '');
  assert.equal(plainReason('x '.repeat(1000)).length, 300);
});
