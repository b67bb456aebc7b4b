import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { isSingleSignOn } from '../../lib/single-sign-on.ts';

/** The way to two-step verification; in single sign-on mode it is the provider's. */
export function SecondFactorPart() {
  const { t } = useTranslation();
  if (isSingleSignOn()) return null;
  return (
    <section className="account-part" aria-labelledby="account-factor">
      <h2 id="account-factor">{t('settings.factor')}</h2>
      <p className="hint">{t('settings.factorAbout')}</p>
      <p>
        <Link to="/account/second-factor">{t('settings.factorSee')}</Link>
      </p>
    </section>
  );
}
