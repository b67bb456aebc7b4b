import { useNavigate } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { useAccount } from '../lib/account.ts';
import { isSingleSignOn } from '../lib/single-sign-on.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';

/** Who is signed in, and what belongs to them rather than to their work. */
export function AccountMenu() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: account } = useAccount();
  if (!account) return null;
  const page = (id: string, text: string, address: string) => ({ id, text, act: () => void navigate(address) });
  return (
    <Menu
      label={t('shell.account', { name: account.firstName, email: account.email })}
      heading={account.email}
      items={[
        page('settings', t('shell.settings'), '/account/settings'),
        ...(account.loginType === 'password' ? [page('password', t('shell.password'), '/account/password')] : []),
        ...(isSingleSignOn() ? [] : [page('second-factor', t('factor.title'), '/account/second-factor')]),
        page('logout', t('shell.logout'), '/logout'),
      ]}
    >
      <span className="account-name">{account.firstName.split(' ', 1)[0]}</span>
      <Icon name="down" />
    </Menu>
  );
}
