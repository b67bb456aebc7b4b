import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';

/** A SHA-256 in full, to be compared by eye or taken along; the button is absent where the clipboard is. */
export function CopyableHash({ hash, label }: { hash: string; label: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(hash);
    setCopied(true);
  }
  return (
    <>
      <span className="hash">{hash}</span>{' '}
      {'clipboard' in navigator && (
        <button
          type="button"
          className="quiet copy"
          aria-label={t('verify.copyNamed', { name: label })}
          onClick={() => void copy().catch(() => {})}
        >
          {t(copied ? 'verify.copied' : 'verify.copy')}
        </button>
      )}
    </>
  );
}
