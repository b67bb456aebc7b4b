import { Suspense } from 'react';
import { lazyInTime } from '../../../lib/lazy-pages.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { useManagementInfo } from '../../../lib/management-info.ts';
import type { ReturnTo } from '../../../lib/single-sign-on.ts';
import { Notice } from '../../../shell/page.tsx';
import { useSocialSignIn } from './use-social-sign-in.ts';

// Once a provider has answered.
const SocialOutcome = lazyInTime(async () => (await import('./social-outcome.tsx')).SocialOutcome);

/** The other ways in: a button for each configured provider. */
export function SocialButtons({ remember, returnTo }: { remember: boolean; returnTo: ReturnTo }) {
  const { t } = useTranslation();
  const providers = useManagementInfo().data?.socialProviders ?? [];
  const { provider, closed, outcome, enter, settle } = useSocialSignIn({ remember, returnTo });
  if (providers.length === 0) return null;
  return (
    <section className="social" aria-label={t('social.title')}>
      <p className="social-or">{t('social.or')}</p>
      <Suspense>{outcome && <SocialOutcome outcome={outcome} settle={settle} />}</Suspense>
      {provider && closed && <Notice kind="warning">{t('popupClosed')}</Notice>}
      {provider && !closed && <Notice>{t('social.waiting', { provider: provider.name })}</Notice>}
      <div className="social-buttons">
        {providers.map((one, place) => (
          <button key={one.id} type="button" disabled={outcome?.kind === 'entered'} onClick={() => void enter(one, place)}>
            {t('social.enter', { provider: one.name })}
          </button>
        ))}
      </div>
    </section>
  );
}
