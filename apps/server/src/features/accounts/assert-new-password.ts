import { DomainError, isAcceptablePassword } from '@lavra/domain';
import { isKnownPassword } from './known-passwords.ts';

/** Of every password that somebody chooses, wherever they do. @throws DomainError account.passwordWeak, account.passwordKnown */
export async function assertNewPassword(password: string, field: 'password' | 'newPassword'): Promise<void> {
  if (!isAcceptablePassword(password)) throw new DomainError('account.passwordWeak', { field });
  if (await isKnownPassword(password)) throw new DomainError('account.passwordKnown', { field });
}
