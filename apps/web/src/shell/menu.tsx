import { Link, NavLink, useLocation } from 'react-router';
import { entityScreens, mayOpen } from '../entity-screens.ts';
import { useAccount } from '../lib/account.ts';
import { useTranslation } from '../lib/i18n.ts';

/** Where people who are signed in go. */
export function Menu() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { data: account } = useAccount();
  return (
    <nav aria-label={t('shell.menu')}>
      <NavLink to="/signature">{t('shell.signatures')}</NavLink>
      {account?.company?.authority === 'ROLE_ADMIN' && <NavLink to={`/your_company/${account.company.id}`}>{t('company.yours')}</NavLink>}
      {entityScreens
        .filter((screen) => !screen.isMinor && mayOpen(screen, account?.authorities))
        .map(({ address, menu, formAddress }) =>
          // A form that has an address of its own belongs to its list.
          pathname === `/${formAddress}` ? (
            <Link key={address} to={`/${address}`} className="active" aria-current="true">
              {t(menu)}
            </Link>
          ) : (
            <NavLink key={address} to={`/${address}`}>
              {t(menu)}
            </NavLink>
          ),
        )}
      {account?.authorities.includes('ROLE_ADMIN') && <NavLink to="/admin">{t('admin.title')}</NavLink>}
    </nav>
  );
}
