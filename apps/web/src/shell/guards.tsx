import type { Authority } from '@lavra/api';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { useAccount } from '../lib/account.ts';
import { useSessionId } from '../lib/session.ts';
import { errorText, retryOf } from './error-text.ts';
import { Notice, Page } from './page.tsx';
import { Failed, Loading } from '../ui/states.tsx';

/** Pages of signed-in people: others go to the sign-in page, which brings them back here. */
export function RequireAccount() {
  const { t } = useTranslation();
  const session = useSessionId();
  const location = useLocation();
  const { data: account, isPending, error, refetch } = useAccount();
  if (session === null)
    return (
      <Navigate to="/login" replace state={{ from: `${location.pathname}${location.search}`, fromState: location.state as unknown }} />
    );
  if (isPending)
    return (
      <Page title={t('shell.loading')}>
        <Loading />
      </Page>
    );
  // Who could not be asked about is not who may not: an outage says so, and can be asked again.
  if (!account)
    return (
      <Page title={t('shell.accountFailed')}>
        <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />
      </Page>
    );
  if (account.authorities.length === 0)
    return (
      <Page title={t('shell.forbiddenTitle')}>
        <Notice kind="error">{t('error.http.403')}</Notice>
      </Page>
    );
  return <Outlet />;
}

/** Pages of some accounts only; within `RequireAccount`. */
export function RequireAuthority({ authority }: { authority: Authority | readonly Authority[] }) {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  if ([authority].flat().some((one) => account?.authorities.includes(one))) return <Outlet />;
  return (
    <Page title={t('shell.forbiddenTitle')}>
      <Notice kind="error">{t('error.http.403')}</Notice>
    </Page>
  );
}
