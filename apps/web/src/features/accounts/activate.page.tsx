import { activateAccount } from '@lavra/api';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { Notice, Page } from '../../shell/page.tsx';

export function Component() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const key = search.get('key') ?? useParams()['key'] ?? '';
  const { isPending, isError } = useQuery({
    queryKey: ['activate', key],
    // The key works once: it must not be tried again by itself.
    queryFn: async () => {
      await callApi(activateAccount, { query: { key } });
      return true;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title={t('activate.title')} narrow>
      {isPending ? (
        <p>{t('shell.loading')}</p>
      ) : (
        <Notice kind={isError ? 'error' : 'success'}>{t(isError ? 'activate.failure' : 'activate.success')}</Notice>
      )}
      <p>
        <Link to={isError ? '/account/register' : '/login'}>{t(isError ? 'login.register' : 'login.title')}</Link>
      </p>
    </Page>
  );
}
