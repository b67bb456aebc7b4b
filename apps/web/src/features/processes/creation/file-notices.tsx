import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileLook } from './use-file-look.ts';
import { type DraftFile, noteLook } from './process-draft.ts';

/** What happens to this file when it is sent, in a sentence each; most files have none. Whether it needs a password is kept in the draft. */
export function FileNotices({ draftId, file }: { draftId: string; file: DraftFile }) {
  const { t } = useTranslation();
  const data = useFileLook(file.file);
  const isLocked = data?.isLocked;
  useEffect(() => {
    if (isLocked !== undefined && file.isLocked === undefined) noteLook(draftId, file.id, isLocked);
  }, [isLocked, draftId, file.id, file.isLocked]);
  return data?.notices.map(({ code, params }) => (
    <span key={code} className="hint">
      {t(`document.willBe.${code}`, params)}
    </span>
  ));
}
