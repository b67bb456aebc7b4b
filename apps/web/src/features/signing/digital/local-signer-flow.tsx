import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import type { DigitalRequest } from './appearance.ts';
import { BusyLine } from './busy-line.tsx';
import { InstallHelp } from './install-help.tsx';
import { localAccess, LocalSignerError } from './local-signer-client.ts';
import { LocalSignerCode } from './local-signer-code.tsx';
import { type LocalStep, signLocally } from './sign-locally.ts';

interface LocalProps {
  request: DigitalRequest;
  onBack(): void;
  onSent(): void;
}

interface Question {
  readonly codes: readonly string[];
  answer(code: string | null): void;
}

/** Step three with a token, a card or a certificate of the system: Lavra Signer, on this computer, does it. */
export function LocalSignerFlow({ request, onBack, onSent }: LocalProps) {
  const { t } = useTranslation();
  const [access, setAccess] = useState<PermissionState | null>(null);
  const [step, setStep] = useState<LocalStep | null>(null);
  const [code, setCode] = useState<string | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  // Leaving the step, or the dialog, gives up.
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    // Asks the browser alone: nothing goes to the program before a click.
    void localAccess().then(setAccess);
  }, []);

  function compare(codes: readonly string[]): Promise<string | null> {
    return new Promise((resolve) => {
      const answer = (chosen: string | null) => {
        setQuestion(null);
        resolve(chosen);
      };
      setQuestion({ codes, answer });
    });
  }
  async function start(forget: boolean): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setFailure(null);
    const onStep = (now: LocalStep, shared: string | null) => {
      setStep(now);
      setCode(shared);
    };
    try {
      await signLocally(request, { onStep, compare, forget }, controller.signal);
      onSent();
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error);
      setAccess(await localAccess());
    } finally {
      setStep(null);
      setQuestion(null);
    }
  }
  if (question) return <LocalSignerCode codes={question.codes} onAnswer={question.answer} />;
  const fault = failure instanceof LocalSignerError ? failure.code : null;
  const isOther = fault === 'KEY_CHANGED';
  const looksAt = step === 'choosing' || step === 'confirming';
  return (
    <>
      {step === null && failure === null && <p>{t('digital.local.intro')}</p>}
      {step === null && failure === null && access === 'prompt' && <Notice>{t('digital.local.willAsk')}</Notice>}
      {step && <BusyLine text={t(`digital.local.step.${step}`)} />}
      {looksAt && <p>{t('digital.local.look', { code })}</p>}
      {step === null && failure !== null && (
        <Notice kind="error">
          <p className="last">{fault ? t(`digital.local.fault.${fault}`) : errorText(failure, t)}</p>
          {fault === 'DENIED' && <p className="last">{t('digital.local.allow')}</p>}
          {isOther && <p className="last">{t('digital.local.changed')}</p>}
        </Notice>
      )}
      {step === null && (fault === 'ABSENT' || fault === 'OUTDATED') && <InstallHelp />}
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
            {isOther && (
              <button type="button" onClick={() => void start(true)}>
                {t('digital.local.compareAgain')}
              </button>
            )}
            <button type="button" className="primary" onClick={() => void start(false)}>
              {t(failure === null ? 'digital.local.start' : 'digital.tryAgain')}
            </button>
          </>
        )}
      </div>
    </>
  );
}
