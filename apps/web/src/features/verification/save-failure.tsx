import { Link, useLocation } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError } from '../../lib/api-client.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';

const OVER = 'verification.ticketExpired';

/** Where a document is asked for anew, when the time in which it could be seen has passed; undefined where that was not it. */
export function askedAnew(error: unknown, documentId: string): { to: string; message: string } | undefined {
  if (!(error instanceof ApiError) || error.code !== OVER) return undefined;
  return { to: `/validateLogin?docId=${encodeURIComponent(documentId)}`, message: OVER };
}

/** Why a file did not come, and the way on where there is one. */
export function SaveFailure({ failure }: { failure: unknown }) {
  const { t } = useTranslation();
  const { documentId = '' } = (useLocation().state ?? {}) as { documentId?: string };
  const anew = askedAnew(failure, documentId);
  if (failure === null) return null;
  return (
    <Notice kind="error">
      {errorText(failure, t)} {anew && <Link to={anew.to}>{t('verify.askAgain')}</Link>}
    </Notice>
  );
}
