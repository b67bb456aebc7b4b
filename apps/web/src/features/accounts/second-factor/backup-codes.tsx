import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { saveBlob } from '../../../lib/api-client.ts';
import { Notice } from '../../../shell/page.tsx';
import { Checkbox } from '../../../ui/field.tsx';

/** New backup codes, shown once: whoever goes on says that they are kept. */
export function BackupCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const { t } = useTranslation();
  const [kept, setKept] = useState(false);
  const [copied, setCopied] = useState(false);
  const text = codes.join('\n');
  return (
    <section aria-label={t('factor.backupCodes')}>
      <Notice kind="warning">{t('factor.backupCodesOnce')}</Notice>
      <ul className="backup-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        {navigator.clipboard && (
          <button type="button" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
            {t(copied ? 'factor.copied' : 'factor.copy')}
          </button>
        )}
        <button type="button" onClick={() => saveBlob(new Blob([`${text}\n`], { type: 'text/plain' }), t('factor.backupCodesFile'))}>
          {t('factor.download')}
        </button>
      </div>
      <Checkbox label={t('factor.backupCodesKept')} checked={kept} onChange={setKept} />
      <div className="actions">
        <button type="button" className="primary" disabled={!kept} onClick={onKept}>
          {t('factor.goOn')}
        </button>
      </div>
    </section>
  );
}
