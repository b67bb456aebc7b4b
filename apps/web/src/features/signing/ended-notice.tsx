import { limits } from '@lavra/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Notice } from '../../shell/page.tsx';
import { useGoHome } from './use-go-home.ts';

/** A calm end: with a session back to the list, without one a page that says what comes next. */
export function EndedNotice({ ended, id, user }: { ended: 'signed' | 'finalized' | 'rejected'; id: string; user: string | undefined }) {
  const { t } = useTranslation();
  useGoHome(true, limits.successPopupMs);
  return (
    <>
      <Notice kind={ended === 'rejected' ? 'info' : 'success'}>{t(`signer.ended.${ended}`)}</Notice>
      {ended === 'signed' && <p>{t('signer.ended.next')}</p>}
      {ended === 'finalized' && (
        <>
          <p>{t('signer.ended.ready')}</p>
          <p>
            <Link className="button primary" to={`/download/${id}?user=${user}`}>
              {t('home.download')}
            </Link>
          </p>
        </>
      )}
    </>
  );
}
