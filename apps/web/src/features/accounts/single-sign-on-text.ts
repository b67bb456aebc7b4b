import type { Translate } from '../../lib/i18n.ts';
import { ApiError } from '../../lib/api-client.ts';
import { errorText } from '../../shell/error-text.ts';

/** The sentence for what went wrong, where there is no e-mail and password to sign in with instead. */
export function singleSignOnText(failure: unknown, t: Translate): string {
  const key = failure instanceof ApiError ? `sso.${failure.code}` : '';
  const text = t(key);
  return key === '' || text === key ? errorText(failure, t) : text;
}
