import { useEffect, useState } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { useAccount } from '../lib/account.ts';
import { useForgetUnseen } from '../lib/calls.ts';
import { useTellShown } from '../lib/go.ts';
import { changeLocale, type Locale, useTranslation } from '../lib/i18n.ts';
import { LocaleOptions } from '../ui/locale-options.tsx';
import { lazyPart } from '../lib/lazy-pages.ts';
import { useManagementInfo } from '../lib/management-info.ts';
import { useSessionId } from '../lib/session.ts';
import { chooseTheme, preferredTheme, showTheme, type Theme } from '../lib/theme.ts';
import { showIn } from '../lib/zone.ts';
import { Icon } from '../ui/icons.tsx';
import { Beside } from './page-or-stopped.tsx';
import { useKeptSession } from './keep-session.ts';
import { clearToasts } from '../ui/toasts.ts';
import { useWindowDropGuard } from '../ui/window-drop.ts';

function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(preferredTheme);
  useEffect(() => showTheme(theme), [theme]);
  return [
    theme,
    () => {
      const next = theme === 'dark' ? 'light' : 'dark';
      chooseTheme(next);
      setTheme(next);
    },
  ];
}

const menu = lazyPart(async () => ({ Component: (await import('./menu.tsx')).Menu }));
const accountMenu = lazyPart(async () => ({ Component: (await import('./account-menu.tsx')).AccountMenu }));
const [Menu, AccountMenu] = [menu.Part, accountMenu.Part];
// Empty until something is told, and beside the page: nobody waits for it.
const { Part: ToastRegion } = lazyPart(async () => ({ Component: (await import('../ui/toast-region.tsx')).ToastRegion }));

/** What the header shows to people who are signed in has come, or never will: nothing jumps into it later. */
export async function menusLoaded(): Promise<void> {
  await Promise.allSettled([menu.fetch(), accountMenu.fetch()]);
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
  useTellShown();
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
            <Beside>{signedIn && <Menu />}</Beside>
            <Appearance />
            <Beside>{signedIn && <AccountMenu />}</Beside>
          </div>
        </div>
      </header>
      <Ribbon />
      <Outlet />
      <Beside>
        <ToastRegion />
      </Beside>
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
