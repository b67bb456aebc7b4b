import { leaveSingleSignOn, logout } from '@lavra/api';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { logInBrowser } from '../../lib/browser-log.ts';
import { useForgetAnswers } from '../../lib/calls.ts';
import { forgetPrivateData } from '../../lib/private-data.ts';
import { isSingleSignOn } from '../../lib/single-sign-on.ts';
import { clearToken } from '../../lib/session.ts';
import { readToken } from '../../lib/token.ts';

/** Ends the session on the server too; a server that cannot be reached does not keep anybody signed in here. */
export function Component() {
  const navigate = useNavigate();
  const forgetAnswers = useForgetAnswers();
  useEffect(() => {
    void end().then((provider) => {
      clearToken();
      forgetPrivateData();
      forgetAnswers();
      if (provider === null) return navigate('/', { replace: true });
      window.location.replace(provider);
      return undefined;
    });
  }, [navigate, forgetAnswers]);
  return null;
}

/** Where the provider ends its own session, in single sign-on mode. */
async function end(): Promise<string | null> {
  if (isSingleSignOn())
    return callApi(leaveSingleSignOn, {}).then(
      ({ url }) => url,
      (error: unknown) => {
        logInBrowser('the provider could not be told', error);
        return null;
      },
    );
  if (readToken() !== null) await callApi(logout, {}).catch(() => {});
  return null;
}
