import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { PasswordField } from '../../../ui/field.tsx';
import { LockedFileFault, openLockedFile, type OpenedFile } from './locked-file.ts';
import type { DraftFile } from './process-draft.ts';

/** The password of a file that needs one, typed beside it. It is used here, once, and kept nowhere. */
export function LockedFileForm({ file, onOpened }: { file: DraftFile; onOpened(opened: OpenedFile): void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const open = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (password === '') {
      setError(t('prepare.locked.empty'));
      return input.current?.focus();
    }
    setBusy(true);
    try {
      onOpened(await openLockedFile(file.file, password));
    } catch (failure) {
      setError(t(failure instanceof LockedFileFault ? failure.key : 'prepare.locked.unreadable', { name: file.name }));
      setBusy(false);
      input.current?.focus();
    }
  };
  return (
    <form className="locked-file" onSubmit={(event) => void open(event)} noValidate>
      <PasswordField
        ref={input}
        label={t('prepare.locked.label', { name: file.name })}
        hint={t('prepare.locked.hint')}
        showLabel={t('prepare.locked.show')}
        hideLabel={t('prepare.locked.hide')}
        autoComplete="off"
        readOnly={busy}
        value={password}
        onChange={(text) => {
          setError(null);
          setPassword(text);
        }}
        error={error ?? undefined}
      />
      <button type="submit" aria-disabled={busy}>
        {t(busy ? 'prepare.locked.opening' : 'prepare.locked.open')}
      </button>
    </form>
  );
}
