import { useEffect } from 'react';
import type { FieldValues, UseFormSetError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../lib/api-client.ts';
import { codeText } from '../shell/error-text.ts';
import { RefusedNotice } from './refused-notice.tsx';
import type { Saving } from './use-saving.ts';

/** What the server refused of a record: beside its field where it has one, else above the form. */
export function SavingFault<V extends FieldValues>({ saving, setError }: { saving: Saving; setError: UseFormSetError<V> }) {
  const { t } = useTranslation();
  const { failure } = saving;
  useEffect(() => {
    if (!(failure instanceof ApiError)) return;
    const faults = failure.fieldErrors.map(({ field, message }) => ({ field, message: codeText(message, t, failure.params) }));
    faults.forEach(({ field, message }, index) => setError(field as never, { message }, { shouldFocus: index === 0 }));
  }, [failure]);
  if (failure instanceof ApiError && failure.fieldErrors.length > 0) return null;
  return <RefusedNotice saving={saving} />;
}
