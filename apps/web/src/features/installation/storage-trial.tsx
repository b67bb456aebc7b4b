import { checkStorage, type StorageCheck } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { formatBytes, formatCount, formatDateTime } from '../../lib/format.ts';
import { codeText, errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { formatMs } from './words.ts';

/** Whether files can be kept now, and what is known of those that are. */
export function StorageTrial() {
  const { t } = useTranslation();
  const [checked, setChecked] = useState<StorageCheck | null>(null);
  const { act, busy, failure } = useAct(checkStorage);
  const check = async () => {
    setChecked(null);
    const answer = await act({});
    if (answer) setChecked(answer.reply);
  };
  return (
    <section className="card" aria-labelledby="storage-trial">
      <h2 id="storage-trial">{t('health.storage.title')}</h2>
      <p>{t('health.storage.about')}</p>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      {checked && <Checked checked={checked} />}
      <div className="actions">
        <button type="button" disabled={busy} onClick={() => void check()}>
          {t(busy ? 'health.storage.checking' : 'health.storage.check')}
        </button>
      </div>
    </section>
  );
}

function Checked({ checked }: { checked: StorageCheck }) {
  const { t, i18n } = useTranslation();
  const facts: [string, string][] = [
    ['kind', t(`health.storage.kind.${checked.kind}`)],
    ['files', checked.files === 0 ? '0' : `${formatCount(checked.files)} (${formatBytes(checked.bytes)})`],
    ['unchecked', formatCount(checked.unchecked)],
    ['oldestCheck', formatDateTime(checked.oldestCheck)],
  ];
  return (
    <>
      {checked.works ? (
        <Notice kind="success">{t('health.storage.works', { time: formatMs(checked.ms, i18n.language) })}</Notice>
      ) : (
        <Notice kind="error">{codeText(checked.reason ?? '', t)}</Notice>
      )}
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{t(`health.storage.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {checked.faults.length > 0 && (
        <>
          <h3>{t('health.storage.faults')}</h3>
          <ul className="plain">
            {checked.faults.map(({ file, fault, firstSeen }) => (
              <li key={file}>
                <code>{file}</code> {t(`health.storage.fault.${fault}`)}, {formatDateTime(firstSeen)}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
