import { users } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import type { EntityView } from '../../entities/entity-view.ts';
import { formatDateTime } from '../../lib/format.ts';
import { StateBadge } from './state-badge.tsx';
import { UserEditor } from './user-editor.tsx';

/** People's accounts, in the administration. */
export const view: EntityView<typeof users> = {
  entity: users,
  address: '/admin/users',
  words: 'users',
  fields: [{ name: 'email' }],
  columns: [
    { key: 'firstName', cell: ({ firstName, lastName }) => `${firstName} ${lastName ?? ''}` },
    { key: 'state', cell: ({ state }) => <StateBadge state={state} /> },
    { key: 'authorities', cell: ({ authorities }) => <Roles authorities={authorities} /> },
    { key: 'createdDate', cell: ({ createdDate }) => <span className="moment">{formatDateTime(createdDate)}</span> },
  ],
  form: { Editor: UserEditor },
};

function Roles({ authorities }: { authorities: readonly string[] }) {
  const { t } = useTranslation();
  if (authorities.length === 0) return <span className="muted">{t('users.noAuthority')}</span>;
  return authorities.map((one) => t(`users.authority.${one}`)).join(', ');
}
