import type { Account } from '@lavra/api';
import { Link } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';

/** Of the settings: the company that an account belongs to, or the way to one. */
export function OwnCompany({ account: { company } }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <section className="account-part" aria-labelledby="own-company">
      <h2 id="own-company">{t('company.yours')}</h2>
      <p>{t(company === null ? 'company.ownNone' : company.authority === 'ROLE_ADMIN' ? 'company.ownAdmin' : 'company.member')}</p>
      <Link className="button" to={`/your_company/${company?.id ?? 'new'}`}>
        {t(company === null ? 'company.new' : 'company.open')}
      </Link>
    </section>
  );
}
