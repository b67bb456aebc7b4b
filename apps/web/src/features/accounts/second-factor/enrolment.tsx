import { useTranslation } from '../../../lib/i18n.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { knowsPasskeys } from './knows-passkeys.ts';
import type { SecondStepProps } from './second-step.tsx';
import { TotpSetup } from './totp-setup.tsx';
import { useEnrolment } from './use-enrolment.ts';

/** The second step of an account that needs a second factor and has none: it gets one, and its backup codes, before it is entered. */
export function EnrolmentForm(props: SecondStepProps) {
  const { t } = useTranslation();
  const { totp, opened, busy, failure, fault, ...enrolment } = useEnrolment(props);
  if (opened) return <BackupCodes codes={opened.codes} onKept={() => enrolment.enter(opened.token)} />;
  if (totp) return <TotpSetup totp={totp} busy={busy} failure={failure} onCode={enrolment.keepCode} onBack={enrolment.leaveTotp} />;
  return (
    <section>
      <p>{t('enrolment.text')}</p>
      {(failure !== null || fault !== null) && <Notice kind="error">{fault === null ? errorText(failure, t) : t(fault)}</Notice>}
      <ul className="factor-choice">
        {props.step.passkeysOffered && knowsPasskeys() && (
          <li>
            <button type="button" className="primary" disabled={busy} onClick={() => void enrolment.startPasskey()}>
              {t('factor.addPasskey')}
            </button>
            <p className="hint">{t('factor.passkeyAbout')}</p>
          </li>
        )}
        <li>
          <button type="button" disabled={busy} onClick={() => void enrolment.startTotp()}>
            {t('factor.addTotp')}
          </button>
          <p className="hint">{t('factor.totpAbout')}</p>
        </li>
      </ul>
      <div className="actions">
        <button type="button" onClick={props.onBack}>
          {t('secondStep.back')}
        </button>
      </div>
    </section>
  );
}
