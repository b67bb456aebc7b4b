import { Link } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { Notice, Page } from './page.tsx';

/** In place of a page that stopped working, or whose part could not be fetched (a new version, no network). */
export function StoppedPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('shell.stoppedTitle')} frame="form">
      <Notice kind="error">{t('shell.stopped')}</Notice>
      <div className="actions">
        <button type="button" className="primary" onClick={() => window.location.reload()}>
          {t('shell.reload')}
        </button>
        <Link to="/">{t('shell.backHome')}</Link>
      </div>
    </Page>
  );
}
