import { Link } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { Notice, Page } from './page.tsx';

export function Component() {
  const { t } = useTranslation();
  return (
    <Page title={t('shell.notFoundTitle')} frame="form">
      <Notice kind="error">{t('error.http.404')}</Notice>
      <p>
        <Link to="/">{t('shell.backHome')}</Link>
      </p>
    </Page>
  );
}
