import { useEffect, useRef } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Notice } from '../../shell/page.tsx';
import { browserFamily, type PlaceFault } from './geolocation.ts';

const sentences: Record<PlaceFault, string> = {
  denied: 'sign.placeDenied',
  unavailable: 'evidence.geolocationRequired',
  unsupported: 'sign.placeUnsupported',
};

/** What went wrong with the place, the steps of this very browser, and another try. */
export function PlaceHelp({
  fault,
  optional,
  onRetry,
  onWithout,
}: {
  fault: PlaceFault;
  optional: boolean;
  onRetry(): void;
  onWithout(): void;
}) {
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone it comes up below the fold of the dialog. New browsers answer a promise, which is no clean-up.
    void element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={element} className="place-help">
      <Notice kind="error">
        <p>{t(fault === 'denied' && optional ? 'sign.placeDeniedOptional' : sentences[fault])}</p>
        {fault === 'denied' && <p>{t(`sign.placeHelp.${browserFamily(navigator.userAgent)}`)}</p>}
        <div className="actions">
          {fault !== 'unsupported' && (
            <button type="button" onClick={onRetry}>
              {t('sign.placeRetry')}
            </button>
          )}
          {optional && (
            <button type="button" onClick={onWithout}>
              {t('sign.withoutPlace')}
            </button>
          )}
        </div>
      </Notice>
    </div>
  );
}
