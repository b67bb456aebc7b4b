import { isAcceptablePassword, limits } from '@lavra/domain';

type Fault = 'password.length' | 'account.passwordWeak' | 'password.dontmatch';

/** What is wrong with a new password and its repetition, as a key of a sentence; null when nothing is. */
export function newPasswordFault({ password, repeat }: { password: string; repeat: string }): Fault | null {
  // Who has typed nothing is told the whole of what is asked for.
  if ((password !== '' && password.length < limits.passwordFieldMin) || password.length > limits.passwordFieldMax) return 'password.length';
  if (!isAcceptablePassword(password)) return 'account.passwordWeak';
  return password === repeat ? null : 'password.dontmatch';
}
