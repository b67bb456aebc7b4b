import { type AdministeredUser, deactivateUser, endUserSessions, reactivateUser, resendActivation, resetSecondFactor } from '@lavra/api';
import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';
import { AskedAct } from './asked-act.tsx';
import { StateBadge } from './state-badge.tsx';

/** How an account stands, since when, and what an administrator does with it. */
export function UserStanding({ user, onChange }: { user: AdministeredUser; onChange(): void }) {
  const { t } = useTranslation();
  const act = { user, onDone: onChange };
  return (
    <section className="card" aria-labelledby="user-standing">
      <div className="user-standing">
        <h2 id="user-standing" className="small">
          {t('users.standing')}
        </h2>
        <StateBadge state={user.state} />
      </div>
      <p>{t(`users.about.${user.state}`)}</p>
      <dl className="facts">
        <dt>{t('users.created')}</dt>
        <dd>
          {formatDateTime(user.createdDate)}, {user.createdBy ?? t('users.byHolder')}
        </dd>
        {user.lastModifiedDate && (
          <>
            <dt>{t('users.modified')}</dt>
            <dd>
              {formatDateTime(user.lastModifiedDate)}, {user.lastModifiedBy ?? t('users.byHolder')}
            </dd>
          </>
        )}
        <dt>{t('users.loginType')}</dt>
        <dd>{t([`users.loginType.${user.loginType}`, user.loginType])}</dd>
      </dl>
      <div className="user-acts">
        {user.state === 'notActivated' && <AskedAct {...act} call={resendActivation} words="users.resend" />}
        {user.state === 'active' && <AskedAct {...act} call={endUserSessions} words="users.endSessions" />}
        {user.state === 'active' && <AskedAct {...act} call={resetSecondFactor} words="users.resetFactor" />}
        {user.state === 'deactivated' && <AskedAct {...act} call={reactivateUser} words="users.reactivate" />}
        {(user.state === 'active' || user.state === 'notActivated') && (
          <AskedAct {...act} call={deactivateUser} words="users.deactivate" isGrave />
        )}
        <Link className="button" to={`/admin/audit?query=${encodeURIComponent(user.email)}`}>
          {t('users.audit')}
        </Link>
      </div>
    </section>
  );
}
