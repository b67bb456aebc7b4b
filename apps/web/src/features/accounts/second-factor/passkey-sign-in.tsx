import { inTime } from '../../../lib/lazy-pages.ts';
import { beginPasskeySignIn, finishPasskeySignIn } from '@lavra/api';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { errorText } from '../../../shell/error-text.ts';
import { knowsPasskeys } from './knows-passkeys.ts';
import { usePasskey } from './use-passkey.ts';

/** Signs in with a passkey alone, where the browser knows them: neither address nor password is asked for. */
export function PasskeySignIn({ remember, onOpened }: { remember: boolean; onOpened(token: string): void }) {
  const { t } = useTranslation();
  const begin = useAct(beginPasskeySignIn);
  const finish = useAct(finishPasskeySignIn);
  const passkey = usePasskey();
  if (!knowsPasskeys()) return null;
  const failure = begin.failure ?? finish.failure;

  async function enter(): Promise<void> {
    finish.forget();
    // Who never presses the button never fetches it; it comes beside the question.
    const browser = inTime(import('./browser-passkeys.ts'));
    const asked = await begin.act({});
    const made = asked && (await passkey.wait(browser.then(({ askBrowser }) => askBrowser(asked.reply.passkey))));
    if (!asked || !made) return;
    const entered = await finish.act({ body: { challenge: asked.reply.challenge, passkey: made, rememberMe: remember } });
    if (entered) onOpened(entered.reply.id_token);
  }

  return (
    <>
      <button type="button" disabled={begin.busy || finish.busy || passkey.busy} onClick={() => void enter()}>
        {t('login.passkey')}
      </button>
      {(failure !== null || passkey.fault !== null) && (
        <p className="error passkey-fault" role="alert">
          {passkey.fault === null ? errorText(failure, t) : t(passkey.fault)}
        </p>
      )}
    </>
  );
}
