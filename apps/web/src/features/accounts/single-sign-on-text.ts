import type { TFunction } from 'i18next';
import { ApiError } from '../../lib/api-client.ts';
import { errorText } from '../../shell/error-text.ts';

/** The sentence for what went wrong, where there is no e-mail and password to sign in with instead. */
export function singleSignOnText(failure: unknown, t: TFunction): string {
  const key = failure instanceof ApiError ? `sso.${failure.code}` : '';
  const text = t(key);
  return key === '' || text === key ? errorText(failure, t) : text;
}
