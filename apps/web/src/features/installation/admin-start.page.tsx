import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { adminGroups, adminRooms } from '../../admin-rooms.ts';
import { Page } from '../../shell/page.tsx';
import { SetupList } from './setup-list.tsx';

/** `/admin` itself: what is left to set up, and every room with what is done there. */
export function Component() {
  const { t } = useTranslation();
  return (
    <Page title={t('admin.title')}>
      <SetupList />
      {adminGroups.map((group) => {
        const rooms = adminRooms.filter((room) => room.group === group);
        if (rooms.length === 0) return null;
        return (
          <section key={group} aria-label={t(`admin.group.${group}`)}>
            <h2>{t(`admin.group.${group}`)}</h2>
            <ul className="admin-list">
              {rooms.map(({ address, words }) => (
                <li key={address} className="card">
                  <Link to={`/admin/${address}`}>{t(`${words}.title`)}</Link>
                  <p className="muted">{t(`${words}.about`)}</p>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </Page>
  );
}
