import { type Translate, useTranslation } from '../../../lib/i18n.ts';
import { Notice } from '../../../shell/page.tsx';
import { providerName } from './authorization.ts';
import { faultText } from './signing-fault.ts';
import type { DigitalSigning } from './signing-state.ts';

/** What keeps a step from going on, for beside its buttons; what is about a field stands at that field. */
export function stepFault({ told }: Pick<DigitalSigning, 'told'>, t: Translate): string | undefined {
  if (told?.about === 'search') return `${t('digital.searchFailed')} — ${faultText(told, t)}`;
  return told?.about === 'step' ? faultText(told, t) : undefined;
}

/** Providers that did not answer, above the step that was gone on with. */
export function SigningTold({ state, onRetry }: { state: DigitalSigning; onRetry(): void }) {
  const { t } = useTranslation();
  const { unanswered } = state;
  if (unanswered.length === 0) return null;
  return (
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
  );
}
