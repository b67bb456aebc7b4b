import type { Translate } from '../lib/i18n.ts';
import { ApiError } from '../lib/api-client.ts';

/** The sentence for whatever went wrong; the one place where codes become words. */
export function errorText(error: unknown, t: Translate): string {
  if (error instanceof ApiError) return codeText(error.code, t, error.params);
  return t('server.unexpected');
}

/** The same on the pages of records: of a 400 with the entity's name (section 8), as there are many kinds of them. */
export function entityErrorText(error: unknown, t: Translate): string {
  const message = errorText(error, t);
  if (!(error instanceof ApiError) || error.status !== 400 || error.entityName === '') return message;
  return t('entity.refused', { entity: t(`entity.name.${error.entityName}`), message });
}

export function codeText(code: string, t: Translate, params: Readonly<Record<string, string | number>> = {}): string {
  const text = t(code, { ...params });
  return text === code ? t('server.unexpected') : text;
}

/** The sentence for one field of a refused form. */
export function fieldErrorText(error: unknown, field: string, t: Translate): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const fault = error.fieldErrors.find((one) => one.field === field);
  return fault ? codeText(fault.message, t, error.params) : undefined;
}

/** What the server refuses it refuses the next time too. */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/** Asking again, where that may help. */
export function retryOf(error: unknown, ask: () => unknown): (() => void) | undefined {
  return isRefused(error) ? undefined : () => void ask();
}
