import { useState } from 'react';
import { useGo } from '../../../lib/go.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { Notice } from '../../../shell/page.tsx';
import { sortChosenFiles } from '../creation/chosen-files.ts';
import { FileDropzone } from '../creation/file-dropzone.tsx';
import { createDraft } from '../creation/process-draft.ts';
import { useUploadLimit } from '../creation/use-upload-limit.ts';

/** A process begins with its files, dropped or chosen. */
export function NewProcess() {
  const { t } = useTranslation();
  const go = useGo();
  const maxBytes = useUploadLimit();
  const [refused, setRefused] = useState<{ key: string; name: string }[]>([]);
  async function open(files: File[]): Promise<void> {
    const chosen = sortChosenFiles(files, [], maxBytes);
    setRefused(chosen.refused);
    if (chosen.accepted.length === 0) return;
    await go('/prepare', { state: { draftId: await createDraft(chosen.accepted), refused: chosen.refused } });
  }
  return (
    <>
      <FileDropzone maxBytes={maxBytes} onFiles={(files) => void open(files)} />
      {refused.map(({ key, name }) => (
        <Notice key={name} kind="warning">
          {t(key, { name, megabytes: Math.floor((maxBytes ?? 0) / 1024 / 1024) })}
        </Notice>
      ))}
    </>
  );
}
