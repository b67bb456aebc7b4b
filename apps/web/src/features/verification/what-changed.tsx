import { isAsSigned } from '@lavra/domain';
import { useTranslation } from '../../lib/i18n.ts';
import type { Judged } from './judged.ts';
import { LaterChanges } from './later-changes.tsx';
import { markTitle } from './signed-people.tsx';

/** What happened to the document since each signature. Of one that does not hold over its bytes nobody can say. */
export function WhatChanged({ marks, onPage }: { marks: readonly Judged[]; onPage: ((page: number) => void) | undefined }) {
  const { t } = useTranslation();
  const told = marks.filter(
    ({ indication, reasons, changes, coversWholeFile, kind }) =>
      isAsSigned(indication, reasons) && (changes.length > 0 || (coversWholeFile && kind !== 'timestamp')),
  );
  if (told.length === 0) return null;
  return (
    <section className="card">
      <h2>{t('verify.whatChanged')}</h2>
      <ul className="signed-people">
        {told.map((mark, index) => {
          const title = markTitle(mark, t);
          return (
            <li key={`${mark.end}-${index}`} className="signed">
              <strong>{t(mark.kind === 'signature' ? 'verify.sinceSignature' : 'verify.since', { name: title })}</strong>
              {mark.changes.length > 0 && <LaterChanges changes={mark.changes} of={title} onPage={onPage} />}
              {mark.coversWholeFile && mark.kind !== 'timestamp' && <span className="hint">{t('verify.laterNothing')}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
