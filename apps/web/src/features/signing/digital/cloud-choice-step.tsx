import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { providerName } from './authorization.ts';
import { BusyLine } from './busy-line.tsx';
import { StepActions } from './step-actions.tsx';
import type { StepProps } from './step-props.ts';

/** Step three: there are several certificates, at several providers or of the company too. */
export function CloudChoiceStep({ state, send }: StepProps<'choice'>) {
  const { t } = useTranslation();
  const { found } = state;
  const busy = state.doing !== null;
  const [chosen, setChosen] = useState(found[0]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (chosen) send({ is: 'picked', certificate: chosen });
  }
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>{t('digital.choose')}</legend>
        {found.map((certificate) => (
          <label key={`${certificate.psc} ${certificate.holder}`} className="radio">
            <input type="radio" name="provider" checked={chosen === certificate} onChange={() => setChosen(certificate)} />
            <span>
              {providerName(certificate.psc)}
              {certificate.holder === 'company' && <span className="hint signs-for">{t('digital.ofCompany')}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {busy && <BusyLine text={t('digital.opening')} />}
      <StepActions state={state} send={send} submit={t('sign.submit')} />
    </form>
  );
}
