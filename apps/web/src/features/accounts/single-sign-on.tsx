import { beginSingleSignOn } from '@lavra/api';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { callApi } from '../../lib/api-client.ts';
import { logInBrowser } from '../../lib/browser-log.ts';
import { keepReturnTo, type ReturnTo } from '../../lib/single-sign-on.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { singleSignOnText } from './single-sign-on-text.ts';

let going: Promise<void> | null = null;

/** To the provider, once however often it is asked for: two sign-ins at the same time would be two browsers' to the server. */
function goToProvider(): Promise<void> {
  going ??= callApi(beginSingleSignOn, {})
    .then(({ url }) => window.location.replace(url))
    .catch((error: unknown) => {
      going = null;
      throw error;
    });
  return going;
}

/** The redirect screen: starts the sign-in at the provider, which sends the browser back. That it could not start is logged, and told here. */
export function SingleSignOn({ returnTo }: { returnTo: ReturnTo }) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    keepReturnTo(returnTo);
    goToProvider().catch((error: unknown) => {
      logInBrowser('single sign-on could not start', error);
      setFailure(error);
    });
    // What is gone back to is what the page was opened with.
  }, [tries]);
  if (failure === null)
    return (
      <Page title={t('sso.title')} frame="form">
        <p className="loading-words" role="status">
          <span className="spinner" /> {t('sso.going')}
        </p>
      </Page>
    );
  const again = () => {
    setFailure(null);
    setTries(tries + 1);
  };
  return (
    <Page title={t('sso.failedTitle')} frame="form">
      <Notice kind="error">{singleSignOnText(failure, t)}</Notice>
      <div className="actions">
        <button type="button" className="primary" onClick={again}>
          {t('shell.retry')}
        </button>
      </div>
    </Page>
  );
}
