import { formatCpf, parseCpf } from '@lavra/domain';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { TermHelp } from '../../../shell/term-help.tsx';
import { Checkbox, TextField } from '../../../ui/field.tsx';
import { BusyLine } from './busy-line.tsx';
import { faultText } from './signing-fault.ts';
import { type CertificateType, certificateTypes, type TypeChoice } from './signing-state.ts';
import { StepActions } from './step-actions.tsx';
import type { StepProps } from './step-props.ts';

interface TypeProps extends StepProps<'type'> {
  consentText: string;
  /** False: the style was not asked for, and is offered. */
  visible: boolean;
}

/** Step two: whose certificate it is and where it is kept, and the consent. */
export function CertificateTypeStep({ state, send, consentText, visible }: TypeProps) {
  const { t } = useTranslation();
  const { choice, told } = state;
  const busy = state.doing !== null;
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const digits = parseCpf(choice.cpf);
  const cpfFault = told?.about === 'cpf' ? faultText(told, t) : undefined;
  const change = (part: Partial<TypeChoice>) => send({ is: 'chose', change: part });
  useEffect(() => {
    // The button that was pressed is far below the number that has no certificate.
    if (told?.about === 'cpf') form.current?.querySelector('input')?.focus();
  }, [told]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (digits && choice.type && choice.consent) return send({ is: 'next', cpf: digits, type: choice.type });
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
        hint={told?.code === 'digital.noneFound' ? t('digital.noneFoundHint') : undefined}
        value={choice.cpf}
        onChange={(text) => change({ cpf: formatCpf(text) })}
        error={tried && !digits ? t('evidence.cpfInvalid') : cpfFault}
      />
      <Checkbox label={t('digital.remember')} checked={choice.keep} onChange={(keep) => change({ keep })} />
      <WhereItIs type={choice.type} missing={tried && !choice.type} onType={(type) => change({ type })} />
      <div className="consent">
        <Checkbox label={consentText} checked={choice.consent} onChange={(consent) => change({ consent })} />
      </div>
      {busy && <BusyLine text={t('digital.searching')} />}
      <StepActions
        state={state}
        send={send}
        submit={t(choice.type === 'cloud' ? 'digital.search' : 'sign.continue')}
        back={visible ? undefined : t('digital.chooseStyle')}
        missing={tried && !choice.consent ? t('digital.consentRequired') : undefined}
      />
    </form>
  );
}

interface WhereProps {
  type: CertificateType | null;
  missing: boolean;
  onType(type: CertificateType): void;
}

function WhereItIs({ type: chosen, missing, onType }: WhereProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="certificate-types" aria-describedby={missing ? 'type-error' : undefined}>
      <legend>{t('digital.where')}</legend>
      {certificateTypes.map((type) => (
        <label key={type} className="radio">
          <input type="radio" name="certificate-type" checked={chosen === type} onChange={() => onType(type)} />
          <span>
            <strong>{t(`digital.type.${type}`)}</strong>
            <br />
            <span className="hint">{t(`digital.typeHint.${type}`)}</span>
          </span>
        </label>
      ))}
      {missing && (
        <p id="type-error" className="error" role="alert">
          {t('digital.typeRequired')}
        </p>
      )}
      <TermHelp terms={['cloud', 'a1', 'a3']} />
    </fieldset>
  );
}
