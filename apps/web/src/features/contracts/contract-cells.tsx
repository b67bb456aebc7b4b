import type { Contract } from '@lavra/api';
import { isContractSuspended } from '@lavra/domain';
import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';
import { EmailText } from '../../ui/email-text.tsx';

/** Day and hour, below each other where the table is narrow; one thing where a card's ends are drawn apart. */
export function Moment({ instant }: { instant: string }) {
  const [day, hour] = formatDateTime(instant).split(' ');
  return (
    <span>
      <span className="moment">{day}</span> <span className="moment">{hour}</span>
    </span>
  );
}

/** Until when, and whether it covers anybody now. */
export function Validity({ contract: { validity, suspended } }: { contract: Contract }) {
  const { t } = useTranslation();
  const isOver = isContractSuspended({ validity: new Date(validity), suspended: false }, new Date());
  return (
    <span>
      <Moment instant={validity} />{' '}
      {(suspended || isOver) && <span className="badge badge-bad">{t(suspended ? 'contract.suspended' : 'contract.expired')}</span>}
    </span>
  );
}

export function Payment({ type }: { type: Contract['paymentType'] }) {
  const { t } = useTranslation();
  return t(`contract.choice.paymentType.${type}`);
}

export function Amount({ value, unit }: { value: number; unit?: string }) {
  const { i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language).format(value);
  return unit ? `${number} ${unit}` : number;
}

export function Retention({ days }: { days: string | null }) {
  const { t } = useTranslation();
  if (days === null) return <span className="muted">{t('contract.blank')}</span>;
  return t('contract.days', { count: Number(days) });
}

/** Whose it is; the link leads to them. */
export function Owner({ owner }: { owner: Contract['applicationUsers'] }) {
  const { t } = useTranslation();
  return (
    <span className="contract-owner">
      {owner ? (
        <Link to={`/application-user/${owner.id}`}>
          <EmailText email={owner.login} />
        </Link>
      ) : (
        <span className="muted">{t('contract.nobody')}</span>
      )}
    </span>
  );
}
