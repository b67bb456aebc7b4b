import { Link } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { entityScreens, mayOpen } from '../entity-screens.ts';
import { useAccount } from '../lib/account.ts';
import { Page } from './page.tsx';

/** All entities that one may see (section 2, the entities' home). */
export function Component() {
  const { t } = useTranslation();
  const { data: account } = useAccount();
  return (
    <Page title={t('entity.home')} frame="form">
      <ul className="card entity-home">
        {entityScreens
          .filter((screen) => mayOpen(screen, account?.authorities))
          .map(({ address, menu }) => (
            <li key={address}>
              <Link to={`/${address}`}>{t(menu)}</Link>
            </li>
          ))}
      </ul>
    </Page>
  );
}
