import type { KeyboardEvent } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';

const moves: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

interface DocumentTabsProps {
  documents: readonly { id: string; name: string }[];
  chosen: number;
  /** Those that were read to their last page. */
  read: ReadonlySet<string>;
  /** Whoever reads is still to sign them. */
  isToSign: boolean;
  onChoose(index: number): void;
}

/** All documents of the process, none hidden: which one is shown, and which were read to the end. Arrows move between them. */
export function DocumentTabs({ documents, chosen, read, isToSign, onChoose }: DocumentTabsProps) {
  const { t } = useTranslation();
  function move(event: KeyboardEvent): void {
    const step = moves[event.key];
    if (step === undefined) return;
    const next = (chosen + step + documents.length) % documents.length;
    onChoose(next);
    document.getElementById(`document-tab-${next}`)?.focus();
  }
  const unread = documents.filter(({ id }) => !read.has(id)).length;
  return (
    <>
      <div className="document-tabs" role="tablist" aria-label={t('word.documents')} onKeyDown={move}>
        {documents.map(({ id, name }, index) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`document-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls="document-panel"
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => onChoose(index)}
          >
            {read.has(id) && <Icon name="check" />}
            <span className="document-name">{name}</span>
            {read.has(id) && <span className="visually-hidden">{t('signer.read')}</span>}
          </button>
        ))}
      </div>
      <span className="hint document-count">
        {t('signer.documentOf', { number: chosen + 1, total: documents.length })}
        {isToSign && unread > 0 && ` · ${t('signer.unread', { count: unread })}`}
      </span>
    </>
  );
}
