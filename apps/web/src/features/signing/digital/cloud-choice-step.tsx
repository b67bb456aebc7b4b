import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { providerName } from './authorization.ts';
import { BusyLine } from './busy-line.tsx';
import { StepActions } from './step-actions.tsx';
import type { StepProps } from './step-props.ts';

/** Step three: several providers hold a certificate of this person. */
export function CloudChoiceStep({ state, send }: StepProps<'choice'>) {
  const { t } = useTranslation();
  const { providers } = state;
  const busy = state.doing !== null;
  const [chosen, setChosen] = useState(providers[0]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (chosen) send({ is: 'picked', psc: chosen });
  }
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>{t('digital.choose')}</legend>
        {providers.map((psc) => (
          <label key={psc} className="radio">
            <input type="radio" name="provider" checked={chosen === psc} onChange={() => setChosen(psc)} />
            <span>{providerName(psc)}</span>
          </label>
        ))}
      </fieldset>
      {busy && <BusyLine text={t('digital.opening')} />}
      <StepActions state={state} send={send} submit={t('sign.submit')} />
    </form>
  );
}
