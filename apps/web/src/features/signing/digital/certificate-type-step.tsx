import { formatCpf, parseCpf } from '@lavra/domain';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox, TextField } from '../../../ui/field.tsx';
import { BusyLine } from './busy-line.tsx';

export const certificateTypes = ['cloud', 'file', 'local'] as const;
export type CertificateType = (typeof certificateTypes)[number];

export interface TypeChoice {
  /** As shown, with its separators. */
  cpf: string;
  keep: boolean;
  type: CertificateType | null;
  consent: boolean;
}

interface TypeStepProps {
  choice: TypeChoice;
  onChoice(change: Partial<TypeChoice>): void;
  /** Why the search cannot go on with this CPF. */
  cpfFault: string | undefined;
  consentText: string;
  busy: boolean;
  onBack(): void;
  /** Called within the click or the Enter key, so that a window may be opened. */
  onNext(cpf: string, type: CertificateType): void;
}

/** Step two: whose certificate it is and where it is kept, and the consent. */
export function CertificateTypeStep({ choice, onChoice, cpfFault, consentText, busy, onBack, onNext }: TypeStepProps) {
  const { t } = useTranslation();
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const digits = parseCpf(choice.cpf);
  useEffect(() => {
    // The button that was pressed is far below the number that has no certificate.
    if (cpfFault) form.current?.querySelector('input')?.focus();
  }, [cpfFault]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (digits && choice.type && choice.consent) return onNext(digits, choice.type);
    const missing = digits ? (choice.type ? '.consent input' : '.certificate-types input') : 'input';
    form.current?.querySelector<HTMLInputElement>(missing)?.focus();
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <TextField
        label="CPF"
        inputMode="numeric"
        autoComplete="off"
        placeholder="000.000.000-00"
        value={choice.cpf}
        onChange={(text) => onChoice({ cpf: formatCpf(text) })}
        error={tried && !digits ? t('evidence.cpfInvalid') : cpfFault}
      />
      <Checkbox label={t('digital.remember')} checked={choice.keep} onChange={(keep) => onChoice({ keep })} />
      <fieldset className="certificate-types" aria-describedby={tried && !choice.type ? 'type-error' : undefined}>
        <legend>{t('digital.where')}</legend>
        {certificateTypes.map((type) => (
          <label key={type} className="radio">
            <input type="radio" name="certificate-type" checked={choice.type === type} onChange={() => onChoice({ type })} />
            <span>
              <strong>{t(`digital.type.${type}`)}</strong>
              <br />
              <span className="hint">{t(`digital.typeHint.${type}`)}</span>
            </span>
          </label>
        ))}
        {tried && !choice.type && (
          <p id="type-error" className="error" role="alert">
            {t('digital.typeRequired')}
          </p>
        )}
      </fieldset>
      <div className="consent">
        <Checkbox label={consentText} checked={choice.consent} onChange={(consent) => onChoice({ consent })} />
        {tried && !choice.consent && (
          <p className="error" role="alert">
            {t('digital.consentRequired')}
          </p>
        )}
      </div>
      {busy && <BusyLine text={t('digital.searching')} />}
      <div className="actions actions-end">
        <button type="button" onClick={onBack} disabled={busy}>
          {t('confirm.back')}
        </button>
        <button type="submit" className="primary" disabled={busy}>
          {t(choice.type === 'cloud' ? 'digital.search' : 'sign.continue')}
        </button>
      </div>
    </form>
  );
}
