import type { CompanyOverview } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { MemberAct } from './member-act.tsx';

/** Any member's way out. */
export function LeaveCompany({ company }: { company: CompanyOverview }) {
  const { t } = useTranslation();
  const [asking, ask] = useState(false);
  const own = company.members.find(({ isCurrentUser }) => isCurrentUser);
  if (!own) return null;
  return (
    <>
      <button type="button" className="danger" onClick={() => ask(true)}>
        {t('company.leave')}
      </button>
      {asking && <MemberAct company={company} member={own} kind="remove" onClose={() => ask(false)} />}
    </>
  );
}
