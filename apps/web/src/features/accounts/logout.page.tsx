import { logout } from '@lavra/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { forgetPrivateData } from '../../lib/private-data.ts';
import { clearToken, readToken } from '../../lib/session.ts';

/** Ends the session on the server too; a server that cannot be reached does not keep anybody signed in here. */
export function Component() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  useEffect(() => {
    const ending = readToken() === null ? Promise.resolve() : callApi(logout, {}).catch(() => {});
    void ending.then(() => {
      clearToken();
      forgetPrivateData();
      queries.clear();
      return navigate('/', { replace: true });
    });
  }, [navigate, queries]);
  return null;
}
