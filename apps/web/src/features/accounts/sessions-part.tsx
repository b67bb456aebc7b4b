import { type AccountSession, endOtherSessions, endSession, getSessions } from '@lavra/api';
import { browserOf, systemOf } from '@lavra/domain';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct, useCall } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.ts';

const HEADING = 'account-sessions';

/** Where the account is signed in, the browser used last first; one or all others are ended from here. */
export function SessionsPart() {
  const { t } = useTranslation();
  const { data, error, refetch } = useCall(getSessions, {});
  return (
    <section className="account-part" aria-labelledby={HEADING}>
      <h2 id={HEADING} tabIndex={-1}>
        {t('sessions.title')}
      </h2>
      {error && <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />}
      {!data && !error && <Loading rows={2} />}
      <ul className="sessions">
        {data?.sessions.map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </ul>
      {data && data.sessions.length > 1 && <OtherSessions />}
    </section>
  );
}

function OtherSessions() {
  const { t } = useTranslation();
  const { act, busy, failure } = useAct(endOtherSessions, [getSessions]);
  const endOthers = async () => {
    if (await act({})) showToast({ text: t('sessions.othersEnded') });
  };
  return (
    <>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <div className="actions">
        <button type="button" disabled={busy} onClick={() => void endOthers()}>
          {t('sessions.endOthers')}
        </button>
      </div>
    </>
  );
}

function SessionLine({ session }: { session: AccountSession }) {
  const { t } = useTranslation();
  const { act, busy, failure } = useAct(endSession, [getSessions]);
  const browser = browserOf(session.userAgent) ?? t('sessions.unknownBrowser');
  const system = systemOf(session.userAgent) ?? t('sessions.unknownSystem');
  const where = t('sessions.browser', { browser, system });
  const at = formatDateTime(session.lastUsedDate);
  const end = async () => {
    if (await act({ params: { id: session.id } })) showToast({ text: t('sessions.ended') });
  };
  return (
    <li>
      <div>
        <p>
          <strong>{where}</strong> {session.current && <span className="badge">{t('sessions.current')}</span>}
        </p>
        <p className="hint">
          {t('sessions.used', { at })} {t('sessions.since', { at: formatDateTime(session.createdDate) })}
        </p>
        {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      </div>
      {!session.current && (
        <button type="button" disabled={busy} aria-label={t('sessions.endOf', { where, at })} onClick={() => void end()}>
          {t('sessions.end')}
        </button>
      )}
    </li>
  );
}
