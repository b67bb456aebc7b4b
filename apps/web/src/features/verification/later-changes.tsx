import { changesByPage, type ToldChange } from '@lavra/domain';
import { useId } from 'react';
import { type Translate, useTranslation } from '../../lib/i18n.ts';

/** A box over what a field says is nobody's forgery, and yet no good news. */
const isBad = ({ permitted, kind }: ToldChange) => !permitted || kind === 'box-over-field';

interface LaterChangesProps {
  changes: readonly ToldChange[];
  /** Of whom one speaks, for who does not see the page. */
  of: string;
  /** Shows a page of the document, where it is shown at all. */
  onPage?: ((page: number) => void) | undefined;
}

/** What happened to the document since a signature: what is allowed is folded away, what is not stands open. */
export function LaterChanges({ changes, of, onPage }: LaterChangesProps) {
  const { t } = useTranslation();
  const bad = changes.filter(isBad);
  const good = changes.filter((change) => !isBad(change));
  return (
    <div className="later">
      {bad.length > 0 && (
        <div className="later-bad">
          <strong>{t('verify.laterForbidden')}</strong>
          <Pages changes={bad} onPage={onPage} />
        </div>
      )}
      {good.length > 0 && (
        <details>
          <summary>
            {t(bad.length > 0 ? 'verify.laterBeside' : 'verify.laterPermitted')}
            <span className="visually-hidden"> ({of})</span>
          </summary>
          <Pages changes={good} onPage={onPage} />
        </details>
      )}
    </div>
  );
}

function Pages({ changes, onPage }: { changes: readonly ToldChange[]; onPage: LaterChangesProps['onPage'] }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <ul className="plain">
      {changesByPage(changes).map(({ page, changes: here }) => (
        <li key={page ?? id}>
          {page === null ? (
            t('verify.laterNowhere')
          ) : onPage ? (
            <button type="button" className="inline-link" onClick={() => onPage(page)}>
              {t('verify.laterPage', { page })}
            </button>
          ) : (
            t('verify.laterPage', { page })
          )}
          {': '}
          {here.map((change) => sentence(change, t)).join('; ')}
        </li>
      ))}
    </ul>
  );
}

function sentence({ kind, by, fields, fieldCount }: ToldChange, t: Translate): string {
  const what = t(`verify.change.${kind}`, { name: by || t('verify.fileUnknownSigner') });
  if (fields.length === 0) return what;
  const more = fieldCount - fields.length;
  return `${what} (${fields.join(', ')}${more > 0 ? ` ${t('verify.changeMore', { count: more })}` : ''})`;
}
