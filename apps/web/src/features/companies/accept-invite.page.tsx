import { acceptInviteCompany, getAccount, getCompanyInvitation } from '@lavra/api';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useCall, useAct } from '../../lib/calls.ts';
import { useSessionId } from '../../lib/session.ts';
import { errorText, isRefused, retryOf } from '../../shell/error-text.ts';
import { useLeaveSuccess } from '../../shell/leave-success.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';

/** Long enough to be read; the button goes on at once. */
const READ_MS = 8000;

/** `/accept_invite/:id?user=`: the invitation into a company. Accepting is an act of its own, never the link's alone. */
export function Component() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const [search] = useSearchParams();
  const user = search.get('user') ?? '';
  const session = useSessionId();
  const { act, busy, failure, forget } = useAct(acceptInviteCompany, [getAccount]);
  const { leaveAfter, leaving } = useLeaveSuccess();
  const asked = { params: { id, user: user === '' ? '-' : user } };
  const { data, error, refetch } = useCall(getCompanyInvitation, asked, { retry: false, per: session ?? '' });
  async function accept(): Promise<void> {
    forget();
    await leaveAfter(act(asked), '/', 'company.joined');
  }
  const refusal = [failure, error].find(isRefused);
  if (refusal) return <Refused error={refusal} />;
  return (
    <Page title={t('company.invitation')} frame="form">
      {data ? (
        <>
          <p>{t('company.invitationText', { inviter: data.inviter, company: data.companyName, email: data.email })}</p>
          <p>{t('company.invitationSeen')}</p>
          {failure && <Notice kind="error">{errorText(failure, t)}</Notice>}
          {session === null ? (
            <SignIn />
          ) : (
            <button type="button" className="primary" disabled={busy || leaving} aria-busy={busy || leaving} onClick={() => void accept()}>
              {t('company.accept')}
            </button>
          )}
        </>
      ) : error ? (
        <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />
      ) : (
        <Loading rows={2} />
      )}
    </Page>
  );
}

/** The invited account signs in, and comes back here. */
function SignIn() {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  return (
    <Link className="button primary" to="/login" state={{ from: `${pathname}${search}` }}>
      {t('company.signIn')}
    </Link>
  );
}

/** Section 8: the server's message, then the registration after a 404, else home. */
function Refused({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isMissing = error instanceof ApiError && error.status === 404;
  const to = isMissing ? '/account/register' : '/';
  useEffect(() => {
    const going = setTimeout(() => void navigate(to), READ_MS);
    return () => clearTimeout(going);
  }, [navigate, to]);
  return (
    <Page title={t('company.invitation')} frame="form">
      <Notice kind={isMissing ? 'warning' : 'error'}>{errorText(error, t)}</Notice>
      <Link className="button primary" to={to}>
        {t(isMissing ? 'company.register' : 'company.home')}
      </Link>
    </Page>
  );
}
