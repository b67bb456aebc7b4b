import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { providerName } from './authorization.ts';
import { BusyLine } from './busy-line.tsx';

interface ChoiceProps {
  providers: readonly string[];
  busy: boolean;
  onBack(): void;
  /** Called within the click, so that a window may be opened. */
  onChosen(psc: string): void;
}

/** Step three: several providers hold a certificate of this person. */
export function CloudChoiceStep({ providers, busy, onBack, onChosen }: ChoiceProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(providers[0]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (chosen) onChosen(chosen);
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
      <div className="actions actions-end">
        <button type="button" onClick={onBack} disabled={busy}>
          {t('confirm.back')}
        </button>
        <button type="submit" className="primary" disabled={busy}>
          {t('sign.submit')}
        </button>
      </div>
    </form>
  );
}
