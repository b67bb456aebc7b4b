import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../shell/page.tsx';
import { providerName } from './authorization.ts';
import { faultText } from './signing-fault.ts';
import type { DigitalSigning } from './signing-state.ts';

/** What went wrong, above the step that it sends back to; on a phone it is brought into sight. Step three tells its own faults. */
export function SigningTold({ state, onRetry }: { state: DigitalSigning; onRetry(): void }) {
  const { t } = useTranslation();
  const { told, unanswered } = state;
  const isAbove = told !== null && (told.about === 'step' || told.about === 'search') && state.at !== 'file' && state.at !== 'local';
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAbove) element.current?.scrollIntoView({ block: 'nearest' });
  }, [told, isAbove]);
  return (
    <div ref={element}>
      {isAbove && (
        <Notice kind="error">
          {told.about === 'search' && `${t('digital.searchFailed')} — `}
          {faultText(told, t)}
        </Notice>
      )}
      {unanswered.length > 0 && (
        <Notice kind="warning">
          <p className="last">{t('digital.unanswered', { names: unanswered.map(providerName).join(', ') })}</p>
          {state.at === 'type' && (
            <div className="actions">
              <button type="button" onClick={onRetry}>
                {t('digital.tryAgain')}
              </button>
            </div>
          )}
        </Notice>
      )}
    </div>
  );
}
