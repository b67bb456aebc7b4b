import { useEffect, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { Notice } from '../../../shell/page.tsx';
import { BusyLine } from './busy-line.tsx';
import { InstallHelp } from './install-help.tsx';
import { localAccess } from './local-signer-client.ts';
import { LocalSignerCode } from './local-signer-code.tsx';
import { faultText } from './signing-fault.ts';
import type { Told } from './signing-state.ts';
import type { StepProps } from './step-props.ts';

/** Step three with a token, a card or a certificate of the system: Lavra Signer, on this computer, does it. */
export function LocalSignerFlow({ state, send }: StepProps<'local'>) {
  if (state.question) return <LocalSignerCode codes={state.question} onAnswer={(code) => send({ is: 'compared', code })} />;
  return state.doing === null ? <BeforeLocalSigner state={state} send={send} /> : <WhileLocalSigner state={state} send={send} />;
}

function BeforeLocalSigner({ state: { told }, send }: StepProps<'local'>) {
  const { t } = useTranslation();
  const access = useLocalAccess(told);
  return (
    <>
      {told === null && <p>{t('digital.local.intro')}</p>}
      {told === null && access === 'prompt' && <Notice>{t('digital.local.willAsk')}</Notice>}
      {told !== null && (
        <Notice kind="error">
          <p className="last">{faultText(told, t)}</p>
          {told.code === 'DENIED' && <p className="last">{t('digital.local.allow')}</p>}
          {told.code === 'KEY_CHANGED' && <p className="last">{t('digital.local.changed')}</p>}
        </Notice>
      )}
      {(told?.code === 'ABSENT' || told?.code === 'OUTDATED') && <InstallHelp />}
      <div className="actions actions-end">
        <button type="button" onClick={() => send({ is: 'back' })}>
          {t('word.back')}
        </button>
        {told?.code === 'KEY_CHANGED' && (
          <button type="button" onClick={() => send({ is: 'startLocal', forget: true })}>
            {t('digital.local.compareAgain')}
          </button>
        )}
        <button type="button" className="primary" onClick={() => send({ is: 'startLocal', forget: false })}>
          {t(told === null ? 'digital.local.start' : 'digital.tryAgain')}
        </button>
      </div>
    </>
  );
}

function WhileLocalSigner({ state: { doing, code }, send }: StepProps<'local'>) {
  const { t } = useTranslation();
  return (
    <>
      <BusyLine text={t(`digital.local.step.${doing}`)} />
      {(doing === 'choosing' || doing === 'confirming') && <p>{t('digital.local.look', { code })}</p>}
      <div className="actions actions-end">
        <button type="button" disabled={doing === 'sending'} onClick={() => send({ is: 'cancel' })}>
          {t('word.cancel')}
        </button>
      </div>
    </>
  );
}

/** What the browser says of it; asks the browser alone, for nothing goes to the program before a click. */
function useLocalAccess(told: Told | null): PermissionState | null {
  const [access, setAccess] = useState<PermissionState | null>(null);
  useEffect(() => {
    void localAccess().then(setAccess);
    // After a failure: the person may have been asked meanwhile.
  }, [told]);
  return access;
}
