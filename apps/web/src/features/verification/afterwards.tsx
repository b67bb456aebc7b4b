import { isAsSigned, type ToldChange } from '@lavra/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { LaterChanges } from './later-changes.tsx';

interface AfterwardsProps {
  /** Whose signature it is. */
  name: string;
  indication: string | null;
  reasons: readonly string[];
  notes: readonly string[];
  changes: readonly ToldChange[];
  /** It signs every byte that is there. */
  coversWholeFile: boolean;
  /** Hands out the document as it was signed; absent where there is nothing to hand out. */
  onSave?: (() => void | Promise<void>) | undefined;
  onPage?: ((page: number) => void) | undefined;
}

/** What else there is to say of a signature: notes that are no faults, what came after it, and the document as it was then. */
export function Afterwards({ name, indication, reasons, notes, changes, coversWholeFile, onSave, onPage }: AfterwardsProps) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<unknown>(null);
  // Of a signature that does not hold over its bytes, nobody knows what it was that was signed.
  const held = isAsSigned(indication, reasons);
  const shown = name === '' ? t('verify.fileUnknownSigner') : name;
  async function save(): Promise<void> {
    setFailure(null);
    await Promise.resolve(onSave?.()).catch(setFailure);
  }
  return (
    <div className="afterwards">
      {notes.map((note) => (
        <span key={note} className="hint">
          {t(`verify.note.${note}`)}
        </span>
      ))}
      {held && changes.length > 0 && <LaterChanges changes={changes} of={shown} onPage={onPage} />}
      {held && coversWholeFile && <span className="hint">{t('verify.laterNothing')}</span>}
      {held && onSave && !coversWholeFile && (
        <button type="button" className="quiet" onClick={() => void save()}>
          {t('verify.downloadAs', { name: shown })}
        </button>
      )}
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
    </div>
  );
}
