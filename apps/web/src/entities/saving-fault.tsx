import { useEffect } from 'react';
import type { FieldValues, UseFormGetValues, UseFormSetError } from 'react-hook-form';
import { useTranslation } from '../lib/i18n.ts';
import { ApiError } from '../lib/api-client.ts';
import { codeText } from '../shell/error-text.ts';
import { Notice } from '../shell/page.tsx';
import { RefusedNotice } from './refused-notice.tsx';
import type { Saving } from './use-saving.ts';

interface SavingFaultProps<V extends FieldValues> {
  saving: Saving;
  setError: UseFormSetError<V>;
  getValues: UseFormGetValues<V>;
}

/** What the server refused of a record: beside its field where the form has it, else above the form, with the field's name. */
export function SavingFault<V extends FieldValues>({ saving, setError, getValues }: SavingFaultProps<V>) {
  const { t } = useTranslation();
  const { failure } = saving;
  const all = failure instanceof ApiError ? failure.fieldErrors : [];
  const textOf = (code: string) => codeText(code, t, failure instanceof ApiError ? failure.params : {});
  const isAsked = (field: string) => field in getValues();
  useEffect(() => {
    const asked = all.filter(({ field }) => isAsked(field));
    asked.forEach(({ field, message }, index) => setError(field as never, { message: textOf(message) }, { shouldFocus: index === 0 }));
  }, [failure]);
  if (all.length === 0) return <RefusedNotice saving={saving} />;
  const elsewhere = all.filter(({ field }) => !isAsked(field));
  if (elsewhere.length === 0) return null;
  return (
    <Notice kind="error">
      {elsewhere.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="last">
          {t('entity.fieldRefused', { field, message: textOf(message) })}
        </p>
      ))}
    </Notice>
  );
}
