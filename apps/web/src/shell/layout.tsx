import { useEffect, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { entityScreens, mayOpen } from '../entity-screens.ts';
import { useAccount } from '../lib/account.ts';
import { useForgetUnseen } from '../lib/calls.ts';
import { showIn } from '../lib/format.ts';
import { changeLocale, type Locale, useTranslation } from '../lib/i18n.ts';
import { LocaleOptions } from '../ui/locale-options.tsx';
import { useManagementInfo } from '../lib/management-info.ts';
import { useSessionId } from '../lib/session.ts';
import { Icon } from '../ui/icons.tsx';
import { AccountMenu } from './account-menu.tsx';
import { useKeptSession } from './keep-session.ts';
import { ToastRegion } from '../ui/toast-region.tsx';
import { clearToasts } from '../ui/toasts.ts';
import { useWindowDropGuard } from '../ui/window-drop.ts';

function useTheme(): [string, () => void] {
  const [theme, setTheme] = useState(
    () => localStorage.getItem('lavra-theme') ?? (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'),
  );
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return [
    theme,
    () => {
      const next = theme === 'dark' ? 'light' : 'dark';
      localStorage.setItem('lavra-theme', next);
      setTheme(next);
    },
  ];
}

/** Header, menu, page, footer. */
export function Layout() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const session = useSessionId();
  const signedIn = session !== null;
  useKeptSession(session);
  useWindowDropGuard();
  // Before any page writes an instant.
  showIn(useAccount().data?.timeZone);
  const forgetUnseen = useForgetUnseen();
  // What was told one person is not shown to the next.
  useEffect(() => {
    clearToasts();
    if (session === null) forgetUnseen();
  }, [session, forgetUnseen]);
  useEffect(() => setOpen(false), [pathname]);
  return (
    <>
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <header className="header">
        <div className="header-inner">
          <NavLink to={signedIn ? '/signature' : '/'} className="brand" aria-label={t('shell.home')}>
            <img src="/icon.svg" alt="" width="32" height="32" /> Lavra
          </NavLink>
          <button
            type="button"
            className="icon-button burger"
            aria-expanded={open}
            aria-controls="menu"
            aria-label={t('shell.menu')}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'menu'} />
          </button>
          <div id="menu" className={open ? 'menu menu-open' : 'menu'}>
            {signedIn && <Menu />}
            <Appearance />
            {signedIn && <AccountMenu />}
          </div>
        </div>
      </header>
      <Ribbon />
      <Outlet />
      <ToastRegion />
      <footer className="footer">© {new Date().getFullYear()} Lavra</footer>
    </>
  );
}

/** Language and theme. */
function Appearance() {
  const { t, i18n } = useTranslation();
  const [theme, toggleTheme] = useTheme();
  const themeWords = t(theme === 'dark' ? 'shell.themeLight' : 'shell.themeDark');
  return (
    <>
      <select aria-label={t('shell.language')} value={i18n.language} onChange={(event) => void changeLocale(event.target.value as Locale)}>
        <LocaleOptions />
      </select>
      <button type="button" className="icon-button theme" aria-label={themeWords} onClick={toggleTheme}>
        <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
        <span className="theme-words">{themeWords}</span>
      </button>
    </>
  );
}

function Menu() {
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

/** Says on every page that this is not the real thing. */
function Ribbon() {
  const { t } = useTranslation();
  const { data } = useManagementInfo();
  if (!data || !data.activeProfiles.includes(data['display-ribbon-on-profiles'])) return null;
  return (
    <aside className="ribbon" aria-label={t('shell.ribbon')}>
      {t('shell.ribbon')}{' '}
      {data.mailboxUrl && (
        <a href={data.mailboxUrl} target="_blank" rel="noreferrer">
          {t('shell.mailbox')}
        </a>
      )}
    </aside>
  );
}
