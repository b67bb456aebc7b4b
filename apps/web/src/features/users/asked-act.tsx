import { type AdministeredUser, type deactivateUser, users } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.ts';

interface Props {
  user: AdministeredUser;
  /** One of the calls that name an account and nothing else. */
  call: typeof deactivateUser;
  /** In the locales: `<words>` on the button, `<words>.question`, `<words>.done`. */
  words: string;
  isGrave?: boolean;
  onDone(): void;
}

/** An act on somebody's account: asked once more, because somebody else is met by it; then told, and the account is read anew. */
export function AskedAct({ user, call, words, isGrave = false, onDone }: Props) {
  const { t } = useTranslation();
  const [asking, ask] = useState(false);
  const { act, busy, failure, forget } = useAct(call, [users.list, users.search]);
  const close = () => {
    forget();
    ask(false);
  };
  const confirm = async () => {
    if (!(await act({ params: { id: user.id } }))) return;
    close();
    onDone();
    showToast({ text: t(`${words}.done`, { email: user.email }) });
  };
  const kind = isGrave ? 'danger' : undefined;
  return (
    <>
      <button type="button" className={kind} onClick={() => ask(true)}>
        {t(words)}
      </button>
      {asking && (
        <Dialog title={t(words)} closeLabel={t('dialog.close')} busy={busy} onClose={close}>
          {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
          <p>{t(`${words}.question`, { email: user.email })}</p>
          <div className="actions actions-end">
            <button type="button" disabled={busy} onClick={close}>
              {t('entity.cancel')}
            </button>
            <button type="button" className={kind ?? 'primary'} disabled={busy} aria-busy={busy} onClick={() => void confirm()}>
              {t(words)}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
