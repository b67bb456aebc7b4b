import { useTranslation } from '../lib/i18n.ts';
import { ApiError } from '../lib/api-client.ts';
import { entityErrorText } from '../shell/error-text.ts';
import { Notice } from '../shell/page.tsx';
import type { Saving } from './use-saving.ts';

/** Why a record was not saved, above its form; after somebody else's change, with the way to what it is now. */
export function RefusedNotice({ saving: { failure, reload } }: { saving: Saving }) {
  const { t } = useTranslation();
  return (
    <Notice kind="error">
      {entityErrorText(failure, t)}{' '}
      {failure instanceof ApiError && failure.code === 'record.changed' && (
        <button type="button" onClick={reload}>
          {t('entity.reload')}
        </button>
      )}
    </Notice>
  );
}
