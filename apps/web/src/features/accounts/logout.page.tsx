import { logout } from '@lavra/api';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { useForgetAnswers } from '../../lib/calls.ts';
import { forgetPrivateData } from '../../lib/private-data.ts';
import { clearToken, readToken } from '../../lib/session.ts';

/** Ends the session on the server too; a server that cannot be reached does not keep anybody signed in here. */
export function Component() {
  const navigate = useNavigate();
  const forgetAnswers = useForgetAnswers();
  useEffect(() => {
    const ending = readToken() === null ? Promise.resolve() : callApi(logout, {}).catch(() => {});
    void ending.then(() => {
      clearToken();
      forgetPrivateData();
      forgetAnswers();
      return navigate('/', { replace: true });
    });
  }, [navigate, forgetAnswers]);
  return null;
}
