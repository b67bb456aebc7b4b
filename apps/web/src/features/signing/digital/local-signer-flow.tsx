import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import type { DigitalRequest } from './appearance.ts';
import { BusyLine } from './busy-line.tsx';
import { InstallHelp } from './install-help.tsx';
import { localAccess, LocalSignerError } from './local-signer-client.ts';
import { type LocalStep, signLocally } from './sign-locally.ts';

interface LocalProps {
  request: DigitalRequest;
  onBack(): void;
  onSent(): void;
}

/** Step three with a token, a card or a certificate of the system: Lavra Signer, on this computer, does it. */
export function LocalSignerFlow({ request, onBack, onSent }: LocalProps) {
  const { t } = useTranslation();
  const [access, setAccess] = useState<PermissionState | null>(null);
  const [step, setStep] = useState<LocalStep | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  // Leaving the step, or the dialog, gives up.
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    // Asks the browser alone: nothing goes to the program before a click.
    void localAccess().then(setAccess);
  }, []);

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    try {
      await signLocally(request, setStep, controller.signal);
      onSent();
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error);
      setAccess(await localAccess());
    } finally {
      setStep(null);
    }
  }
  const code = failure instanceof LocalSignerError ? failure.code : null;
  const looksAt = step === 'choosing' || step === 'confirming';
  return (
    <>
      {step === null && failure === null && <p>{t('digital.local.intro')}</p>}
      {step === null && failure === null && access === 'prompt' && <Notice>{t('digital.local.willAsk')}</Notice>}
      {step && <BusyLine text={t(`digital.local.step.${step}`)} />}
      {looksAt && <p>{t('digital.local.look')}</p>}
      {step === null && failure !== null && (
        <Notice kind="error">
          <p className="last">{code ? t(`digital.local.fault.${code}`) : errorText(failure, t)}</p>
          {code === 'DENIED' && <p className="last">{t('digital.local.allow')}</p>}
        </Notice>
      )}
      {step === null && code === 'ABSENT' && <InstallHelp />}
      <div className="actions actions-end">
        {step ? (
          <button type="button" disabled={step === 'sending'} onClick={() => running.current?.abort()}>
            {t('prepare.cancel')}
          </button>
        ) : (
          <>
            <button type="button" onClick={onBack}>
              {t('confirm.back')}
            </button>
            <button type="button" className="primary" onClick={() => void start()}>
              {t(failure === null ? 'digital.local.start' : 'digital.tryAgain')}
            </button>
          </>
        )}
      </div>
    </>
  );
}
