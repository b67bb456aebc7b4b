import { useEffect } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { formatBytes } from '../../../lib/format.ts';
import { useFileLook } from './use-file-look.ts';
import { type DraftFile, noteLook } from './process-draft.ts';

/**
 * What is found in a file when it is chosen: how large it is, what it is, and what happens to it when it is sent, in a sentence each.
 * Whether it needs a password, and why it cannot be signed, are kept in the draft.
 */
export function FileNotices({ draftId, file }: { draftId: string; file: DraftFile }) {
  const { t } = useTranslation();
  const look = useFileLook(file.file);
  useEffect(() => {
    if (look === undefined || file.isLocked !== undefined) return;
    noteLook(draftId, file.id, { isLocked: look.isLocked, ...(look.refusal ? { refusal: look.refusal } : {}) });
  }, [look, draftId, file.id, file.isLocked]);
  const facts = look?.facts;
  const words = [
    facts?.standard || 'PDF',
    facts ? t('prepare.file.pages', { count: facts.pageCount }) : null,
    formatBytes(file.file.size),
    facts?.signatures ? t('prepare.file.signed', { count: facts.signatures }) : null,
    facts?.openFields ? t('prepare.file.form') : null,
  ];
  return (
    <>
      <span className="hint">{words.filter((word) => word !== null).join(' · ')}</span>
      {look === undefined && (
        <span className="hint" role="status">
          {t('prepare.file.looking')}
        </span>
      )}
      {file.refusal && (
        <span className="file-refused" role="alert">
          {t(file.refusal, { name: file.name })}
        </span>
      )}
      {look?.notices.map(({ code, params }) => (
        <span key={code} className="hint">
          {t(`document.willBe.${code}`, params)}
        </span>
      ))}
    </>
  );
}
