import { isAcceptablePassword } from '@lavra/domain';

/** What is wrong with a new password and its repetition, as a key of a sentence; null when nothing is. */
export function newPasswordFault(value: { password: string; repeat: string }): 'account.passwordWeak' | 'password.dontmatch' | null {
  if (!isAcceptablePassword(value.password)) return 'account.passwordWeak';
  return value.password === value.repeat ? null : 'password.dontmatch';
}
