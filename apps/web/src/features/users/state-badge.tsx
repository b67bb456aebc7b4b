import type { AdministeredUser } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';

const kinds = { active: 'badge-good', notActivated: 'badge-wait', deactivated: 'badge-bad', erased: 'badge-bad' } as const;

/** Whether an account can be entered. */
export function StateBadge({ state }: { state: AdministeredUser['state'] }) {
  const { t } = useTranslation();
  return <span className={`badge ${kinds[state]}`}>{t(`users.state.${state}`)}</span>;
}
