import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';

const moves: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

interface StyleTabsProps<T extends string> {
  tabs: readonly T[];
  tab: T;
  onTab(tab: T): void;
  children: ReactNode;
}

/** The ways to make a signature's picture, as tabs: arrows move between them. Each is named `sign.<tab>`. */
export function StyleTabs<T extends string>({ tabs, tab, onTab, children }: StyleTabsProps<T>) {
  const { t } = useTranslation();
  function move(event: KeyboardEvent): void {
    const step = moves[event.key];
    const next = step === undefined ? undefined : tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={t('sign.style')} onKeyDown={move}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={tab === one}
            tabIndex={tab === one ? 0 : -1}
            aria-controls="style-panel"
            onClick={() => onTab(one)}
          >
            {t(`sign.${one}` as string)}
          </button>
        ))}
      </div>
      <div id="style-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {children}
      </div>
    </>
  );
}
