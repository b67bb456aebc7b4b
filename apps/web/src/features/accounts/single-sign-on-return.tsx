import { finishSingleSignOn } from '@lavra/api';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError, callApi } from '../../lib/api-client.ts';
import { keepToken } from '../../lib/session.ts';
import { takeReturnTo } from '../../lib/single-sign-on.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { singleSignOnText } from './single-sign-on-text.ts';

/** An answer is taken once, however often the page is drawn. */
const handedIn = new Map<string, Promise<string>>();

function handIn(query: string): Promise<string> {
  const sent = handedIn.get(query) ?? callApi(finishSingleSignOn, { body: { query } }).then(({ id_token: token }) => token);
  handedIn.set(query, sent);
  return sent;
}

/** Where the provider sends the browser back to: hands in what came, and goes on to where its user was going, or to /signature. */
export function SingleSignOnReturn() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    handIn(search).then(
      (token) => {
        keepToken(token, false);
        const { from = '/signature', fromState } = takeReturnTo();
        void navigate(from, { replace: true, state: fromState });
      },
      (error: unknown) => setFailure(error),
    );
  }, [search, navigate]);
  if (failure !== null) return <Refused failure={failure} />;
  return (
    <Page title={t('sso.title')} frame="form">
      <p className="loading-words" role="status">
        <span className="spinner" /> {t('shell.loading')}
      </p>
    </Page>
  );
}

/** Without the permission to enter, or where that could not be found out, there is no access; another account is one sign-out away. */
function Refused({ failure }: { failure: unknown }) {
  const { t } = useTranslation();
  const isNoAccess = failure instanceof ApiError && (failure.code === 'permission.login' || failure.status === 500);
  return (
    <Page title={t(isNoAccess ? 'sso.noAccessTitle' : 'sso.failedTitle')} frame="form">
      <Notice kind="error">{singleSignOnText(failure, t)}</Notice>
      <div className="actions">
        <Link className={isNoAccess ? 'button' : 'button primary'} to="/login" replace>
          {t('shell.retry')}
        </Link>
        <Link className={isNoAccess ? 'button primary' : 'button'} to="/logout" replace>
          {t('sso.leave')}
        </Link>
      </div>
    </Page>
  );
}
