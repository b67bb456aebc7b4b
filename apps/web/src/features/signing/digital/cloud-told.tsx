import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../shell/page.tsx';
import { providerName } from './authorization.ts';
import type { CloudSigning } from './use-cloud-signing.ts';

/** What went wrong with the cloud, above the step that it sends back to; on a phone it is brought into sight. */
export function CloudTold({ cloud, onRetry }: { cloud: CloudSigning; onRetry: (() => void) | null }) {
  const { t } = useTranslation();
  const { busy, failure, unanswered } = cloud;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure && !busy) void element.current?.scrollIntoView({ block: 'nearest' });
  }, [failure, busy]);
  return (
    <div ref={element}>
      {failure && !busy && <Notice kind="error">{failure}</Notice>}
      {unanswered.length > 0 && !busy && (
        <Notice kind="warning">
          <p className="last">{t('digital.unanswered', { names: unanswered.map(providerName).join(', ') })}</p>
          {onRetry && (
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
