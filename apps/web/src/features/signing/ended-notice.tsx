import { getSignatureStatus } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCall } from '../../lib/calls.ts';
import { Notice } from '../../shell/page.tsx';
import { useGoHome } from './use-go-home.ts';

/** The last signer's documents are sealed in moments; other people's turns may take days. */
const QUICK_ASKS = 20;
const SLOW_POLL_MS = 15_000;

/** Whether the process has been finished since this person signed. */
function useFinishedSince(asks: boolean, id: string, user: string | undefined): boolean {
  const { data } = useCall(
    getSignatureStatus,
    { params: { processId: id, signerId: user ?? '' } },
    {
      per: 'ended',
      enabled: asks && user !== undefined,
      pollAfter: (reply, count) => (reply?.finalized ? false : count < QUICK_ASKS ? limits.signingStatusPollMs : SLOW_POLL_MS),
    },
  );
  return data?.finalized === true;
}

/** A calm end: with a session back to the list, without one a page that says what comes next. */
export function EndedNotice({
  ended: told,
  id,
  user,
}: {
  ended: 'signed' | 'finalized' | 'rejected';
  id: string;
  user: string | undefined;
}) {
  const { t } = useTranslation();
  useGoHome(true, limits.successPopupMs);
  const finished = useFinishedSince(told === 'signed', id, user);
  const ended = finished ? 'finalized' : told;
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
