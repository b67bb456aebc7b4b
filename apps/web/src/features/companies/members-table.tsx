import type { CompanyMember, CompanyOverview } from '@lavra/api';
import { useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { MemberAct, type MemberActKind } from './member-act.tsx';

/** The members with what can be done with each; nobody's own role is theirs to change. */
export function MembersTable({ company }: { company: CompanyOverview }) {
  const { t } = useTranslation();
  const [asked, ask] = useState<{ member: CompanyMember; kind: MemberActKind } | null>(null);
  const items = (member: CompanyMember) => {
    const role = member.authority === 'ROLE_ADMIN' ? ('demote' as const) : ('promote' as const);
    return [
      ...(member.isCurrentUser ? [] : [{ id: role, text: t(`company.${role}`), act: () => ask({ member, kind: role }) }]),
      {
        id: 'remove',
        text: t(member.isCurrentUser ? 'company.leave' : 'company.remove'),
        isGrave: true,
        act: () => ask({ member, kind: 'remove' }),
      },
    ];
  };
  return (
    <section className="company-members" aria-labelledby="company-members">
      <h2 id="company-members">{t('company.users')}</h2>
      <DataTable
        label={t('company.users')}
        items={company.members}
        keyOf={({ id }) => id}
        columns={[
          { key: 'name', label: t('company.column.name'), heading: true, cell: ({ name }) => name },
          { key: 'email', label: t('company.column.email'), cell: ({ email }) => <span className="email">{email}</span> },
          { key: 'authority', label: t('company.column.role'), cell: ({ authority }) => t(`company.role.${authority}`) },
        ]}
        actionsLabel={t('company.column.action')}
        actions={(member) => (
          <>
            {(company.authority === 'ROLE_ADMIN' || member.isCurrentUser) && (
              <Link className="button" to={`/view_member/${member.id}`} state={{ name: member.name }}>
                {t('company.seeProcesses')}
              </Link>
            )}
            <Menu label={t('company.moreOf', { name: member.name })} heading={member.name} items={items(member)}>
              <Icon name="more" />
            </Menu>
          </>
        )}
      />
      {asked && <MemberAct company={company} member={asked.member} kind={asked.kind} onClose={() => ask(null)} />}
    </section>
  );
}
