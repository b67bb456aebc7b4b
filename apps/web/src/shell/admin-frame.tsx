import { Link, NavLink, Outlet, useMatch } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { adminGroups, adminRooms } from '../admin-rooms.ts';
import { Icon } from '../ui/icons.tsx';

/** The administration: its rooms beside each page; on a phone, the way back to the list of them above it. */
export function AdminFrame() {
  const { t } = useTranslation();
  const isAtStart = useMatch('/admin') !== null;
  return (
    <div className="admin">
      <nav className="admin-rooms" aria-label={t('admin.rooms')}>
        {adminGroups.map((group) => (
          <Rooms key={group} group={group} />
        ))}
      </nav>
      <div className="admin-page">
        {!isAtStart && (
          <nav className="admin-back" aria-label={t('admin.back')}>
            <Link to="/admin">
              <Icon name="back" /> {t('admin.title')}
            </Link>
          </nav>
        )}
        <Outlet />
      </div>
    </div>
  );
}

function Rooms({ group }: { group: (typeof adminGroups)[number] }) {
  const { t } = useTranslation();
  const rooms = adminRooms.filter((room) => room.group === group);
  if (rooms.length === 0) return null;
  return (
    <>
      <p id={`admin-${group}`}>{t(`admin.group.${group}`)}</p>
      <ul aria-labelledby={`admin-${group}`}>
        {rooms.map(({ address, words }) => (
          <li key={address}>
            <NavLink to={`/admin/${address}`}>{t(`${words}.title`)}</NavLink>
          </li>
        ))}
      </ul>
    </>
  );
}
