import { useState } from 'react';
import { useLocation } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { Notice } from '../../../shell/page.tsx';
import { type ChosenFiles, sortChosenFiles } from './chosen-files.ts';
import { FaultNotice } from './fault-notice.tsx';
import { FileNotices } from './file-notices.tsx';
import { FileDropzone } from './file-dropzone.tsx';
import type { OpenedFile } from './locked-file.ts';
import { LockedFileForm } from './locked-file-form.tsx';
import { PageThumbnail } from './page-thumbnail.tsx';
import type { DraftFile, ProcessDraft, UpdateDraft } from './process-draft.ts';
import { useToldRemoval } from './use-told-removal.ts';
import { useUploadLimit } from './use-upload-limit.ts';

/** The list of documents: add more, take one out. */
export function DocumentsSection({ draft, update, fault }: { draft: ProcessDraft; update: UpdateDraft; fault: string | undefined }) {
  const { t } = useTranslation();
  const maxBytes = useUploadLimit();
  const tellRemoval = useToldRemoval();
  // Files that were chosen together with these on the home page and refused there are told here.
  const told = ((useLocation().state ?? {}) as { refused?: ChosenFiles['refused'] }).refused;
  const [refused, setRefused] = useState(told ?? []);
  const add = (files: File[]) => {
    const chosen = sortChosenFiles(
      files,
      draft.files.map(({ name }) => name),
      maxBytes,
    );
    setRefused(chosen.refused);
    update({ files: [...draft.files, ...chosen.accepted.map((file) => ({ id: crypto.randomUUID(), name: file.name, file }))] });
  };
  const opened = (file: DraftFile, { file: copy, openedFrom }: OpenedFile) =>
    // Under an id of its own: what is stored under the other is the file with the password.
    update(({ files }) => ({
      files: files.map((one) =>
        one.id === file.id ? { id: crypto.randomUUID(), name: file.name, file: copy, isLocked: false, openedFrom } : one,
      ),
    }));
  const remove = (file: DraftFile, index: number) => {
    tellRemoval(file.name, () =>
      // Names are told apart; the same file may have been chosen again meanwhile.
      update(({ files }) => (files.some(({ name }) => name === file.name) ? {} : { files: files.toSpliced(index, 0, file) })),
    );
    update({ files: draft.files.filter(({ id }) => id !== file.id) });
  };
  return (
    <>
      <h2>{t('word.documents')}</h2>
      <FaultNotice text={fault} />
      <ul className="list">
        {draft.files.map((file, index) => (
          <FileRow
            key={file.id}
            draftId={draft.id}
            file={file}
            onRemove={() => remove(file, index)}
            onOpened={(one) => opened(file, one)}
          />
        ))}
      </ul>
      {refused.map(({ key, name }) => (
        <Notice key={`${key} ${name}`} kind="warning">
          {t(key, { name, megabytes: Math.floor((maxBytes ?? 0) / 1024 / 1024) })}
        </Notice>
      ))}
      <FileDropzone maxBytes={maxBytes} onFiles={add} />
    </>
  );
}

interface FileRowProps {
  draftId: string;
  file: DraftFile;
  onRemove(): void;
  onOpened(opened: OpenedFile): void;
}

function FileRow({ draftId, file, onRemove, onOpened }: FileRowProps) {
  const { t } = useTranslation();
  return (
    <li className={file.isLocked ? 'file-row list-wide' : 'file-row'}>
      <PageThumbnail file={file.file} number={1} width={56} />
      <span className="told grow">
        <strong>{file.name}</strong>
        {file.openedFrom && (
          <span className="hint" role="status">
            {t('prepare.locked.opened')}
          </span>
        )}
        <FileNotices draftId={draftId} file={file} />
      </span>
      <button type="button" className="quiet" aria-label={t('prepare.removeNamed', { name: file.name })} onClick={onRemove}>
        {t('prepare.remove')}
      </button>
      {file.isLocked && <LockedFileForm file={file} onOpened={onOpened} />}
    </li>
  );
}
