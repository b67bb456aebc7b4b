import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newPasswordFault } from './new-password-fault.ts';

it('password required, 4 to 50, must match the pattern of at least 6 characters; repeat password must equal it (dontmatch)', () => {
  const fault = (password: string, repeat = password) => newPasswordFault({ password, repeat });
  assert.equal(fault(''), 'account.passwordWeak');
  assert.deepEqual([fault('Ab1'), fault(`Ab1${'x'.repeat(48)}`)], ['password.length', 'password.length']);
  assert.deepEqual(
    [fault('Ab12'), fault('Ab123'), fault('abc123'), fault('ABC123'), fault('Abcdef')],
    Array(5).fill('account.passwordWeak'),
  );
  assert.deepEqual([fault('Abc123'), fault(`Ab1${'x'.repeat(47)}`)], [null, null]);
  assert.equal(fault('Abc123', 'Abc124'), 'password.dontmatch');
});
