import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { Notice } from '../../../shell/page.tsx';
import { PasswordField } from '../../../ui/field.tsx';
import { BusyLine } from './busy-line.tsx';
import type { OpenedCertificate } from './certificate-file.ts';
import { faultText } from './signing-fault.ts';
import type { Told } from './signing-state.ts';
import { StepActions } from './step-actions.tsx';
import type { StepProps } from './step-props.ts';

/** Step three with a certificate file: opened and signed with on this device; neither file nor password leaves it. */
export function FileCertificate({ state, send }: StepProps<'file'>) {
  const { t } = useTranslation();
  const { certificates, doing } = state;
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState('');
  const [chosen, setChosen] = useState(0);
  const [missing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const fault = missing ? { about: 'certificate' as const, code: 'digital.file.required', params: {} } : state.told;
  const faultAt = (about: Told['about']) => (fault?.about === about ? faultText(fault, t) : undefined);
  // The button that was pressed lost the focus while it could not be pressed again.
  useEffect(() => {
    if (state.told || missing) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .primary')?.focus();
  }, [state.told, missing]);
  function changed(): void {
    setMissing(false);
    setChosen(0);
    send({ is: 'fileChanged' });
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!file) return setMissing(true);
    send({ is: 'signWithFile', file, password, chosen });
  }
  const busy = doing !== null;
  if (!window.isSecureContext) return <Insecure onBack={() => send({ is: 'back' })} />;
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <p>{t('digital.file.stays')}</p>
      <FileChooser
        name={file?.name}
        busy={busy}
        fault={faultAt('certificate')}
        onFile={(next) => {
          changed();
          setFile(next ?? file);
        }}
      />
      <PasswordField
        label={t('digital.file.password')}
        showLabel={t('digital.file.show')}
        hideLabel={t('digital.file.hide')}
        autoComplete="off"
        disabled={busy}
        value={password}
        onChange={(text) => {
          changed();
          setPassword(text);
        }}
        error={faultAt('password')}
      />
      {certificates.length > 1 && <FileChoice choices={certificates} chosen={chosen} onChosen={setChosen} />}
      {doing && <BusyLine text={t(`digital.file.${doing}`)} />}
      <StepActions state={state} send={send} submit={t('sign.submit')} />
    </form>
  );
}

interface ChooserProps {
  name: string | undefined;
  busy: boolean;
  fault: string | undefined;
  onFile(file: File | undefined): void;
}

function FileChooser({ name, busy, fault, onFile }: ChooserProps) {
  const { t } = useTranslation();
  return (
    <div className={fault === undefined ? 'field' : 'field field-invalid'}>
      <label className="button file-button">
        {t('digital.file.choose')}
        <input
          type="file"
          className="visually-hidden"
          accept=".pfx,.p12,application/x-pkcs12"
          disabled={busy}
          aria-describedby="certificate-file"
          aria-invalid={fault === undefined ? undefined : true}
          onChange={(event) => {
            onFile(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
      <p id="certificate-file" className="file-name">
        {name}
        {fault !== undefined && (
          <span className="error" role="alert">
            {fault}
          </span>
        )}
      </p>
    </div>
  );
}

interface FileChoiceProps {
  choices: readonly OpenedCertificate[];
  chosen: number;
  onChosen(index: number): void;
}

function FileChoice({ choices, chosen, onChosen }: FileChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend>{t('digital.file.several')}</legend>
      {choices.map(({ name, validTo }, index) => (
        <label key={index} className="radio">
          <input type="radio" name="file-certificate" checked={chosen === index} onChange={() => onChosen(index)} />
          <span>
            {name} <span className="hint">{t('digital.file.validTo', { date: formatDateTime(validTo) })}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Browsers give their cryptography to secure addresses only. */
function Insecure({ onBack }: { onBack(): void }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice kind="error">{t('digital.insecure')}</Notice>
      <div className="actions actions-end">
        <button type="button" onClick={onBack}>
          {t('word.back')}
        </button>
      </div>
    </>
  );
}
