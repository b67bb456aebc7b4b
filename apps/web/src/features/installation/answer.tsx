import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Failed, Loading } from '../../ui/states.tsx';

interface Asked<T> {
  data: T | undefined;
  error: unknown;
  refetch(): unknown;
}

/** What the server answered, or that it is on its way, or that it did not come. What was there stays when a later look fails. */
export function Answer<T>({ asked, children }: { asked: Asked<T>; children(data: T): ReactNode }) {
  const { t } = useTranslation();
  const { data, error, refetch } = asked;
  return (
    <>
      {error !== null && <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />}
      {data === undefined ? error === null && <Loading /> : children(data)}
    </>
  );
}
