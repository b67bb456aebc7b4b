import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { PasswordField } from '../../../ui/field.tsx';
import type { DigitalRequest } from './appearance.ts';
import { BusyLine } from './busy-line.tsx';
import { CertificateFileError, forgetKeys, openCertificates, type OpenedCertificate, signWithFile } from './certificate-file.ts';

interface FileProps {
  request: DigitalRequest;
  onBusy(busy: boolean): void;
  onBack(): void;
  onSent(): void;
}

type Doing = 'opening' | 'preparing' | 'signing' | null;

const sentences: Readonly<Record<string, string>> = {
  P12_DAMAGED: 'digital.file.damaged',
  P12_UNSUPPORTED: 'digital.file.unsupported',
  P12_NO_KEY: 'digital.file.noKey',
};

/** Step three with a certificate file: opened and signed with on this device; neither file nor password leaves it. */
export function FileCertificate({ request, onBusy, onBack, onSent }: FileProps) {
  const { t } = useTranslation();
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState('');
  const [choices, setChoices] = useState<OpenedCertificate[]>([]);
  const [chosen, setChosen] = useState(0);
  const [doing, setDoing] = useState<Doing>(null);
  const [fault, setFault] = useState<{ at: 'file' | 'password' | 'all'; text: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  // The button that was pressed lost the focus while it could not be pressed again.
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .primary')?.focus();
  }, [fault]);
  // Keys that were waiting for a choice go with the step.
  useEffect(() => () => forgetKeys(choices), [choices]);

  function changed(): void {
    setFault(null);
    setChoices([]);
    setChosen(0);
  }
  function explain(error: unknown): void {
    if (error instanceof CertificateFileError && error.code === 'P12_WRONG_PASSWORD')
      return setFault({ at: 'password', text: t('digital.file.wrongPassword') });
    if (error instanceof CertificateFileError) return setFault({ at: 'file', text: t(sentences[error.code] ?? 'digital.file.damaged') });
    const ofCertificate = error instanceof ApiError && error.code.startsWith('certificate.');
    setFault({ at: ofCertificate ? 'file' : 'all', text: errorText(error, t) });
  }
  async function sign(): Promise<void> {
    if (!file) return setFault({ at: 'file', text: t('digital.file.required') });
    onBusy(true);
    setFault(null);
    let opened = choices;
    try {
      if (opened.length === 0) {
        setDoing('opening');
        opened = await openCertificates(file, password);
        if (opened.length > 1) return setChoices(opened);
      }
      const one = opened[chosen];
      if (!one) return;
      setDoing('preparing');
      await signWithFile(one.file, request, () => setDoing('signing'));
      setPassword('');
      onSent();
    } catch (error) {
      explain(error);
    } finally {
      setDoing(null);
      onBusy(false);
      if (opened.length === 1) forgetKeys(opened);
    }
  }
  const busy = doing !== null;
  if (!window.isSecureContext) return <Insecure onBack={onBack} />;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void sign();
      }}
    >
      <p>{t('digital.file.stays')}</p>
      <div className={fault?.at === 'file' ? 'field field-invalid' : 'field'}>
        <label className="button file-button">
          {t('digital.file.choose')}
          <input
            type="file"
            className="visually-hidden"
            accept=".pfx,.p12,application/x-pkcs12"
            disabled={busy}
            aria-describedby="certificate-file"
            aria-invalid={fault?.at === 'file' ? true : undefined}
            onChange={(event) => {
              changed();
              setFile(event.target.files?.[0] ?? file);
              event.target.value = '';
            }}
          />
        </label>
        <p id="certificate-file" className="file-name">
          {file?.name}
          {fault?.at === 'file' && (
            <span className="error" role="alert">
              {fault.text}
            </span>
          )}
        </p>
      </div>
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
        error={fault?.at === 'password' ? fault.text : undefined}
      />
      {choices.length > 1 && <FileChoice choices={choices} chosen={chosen} onChosen={setChosen} />}
      {doing && <BusyLine text={t(`digital.file.${doing}`)} />}
      {fault?.at === 'all' && <Notice kind="error">{fault.text}</Notice>}
      <div className="actions actions-end">
        <button type="button" disabled={busy} onClick={onBack}>
          {t('confirm.back')}
        </button>
        <button type="submit" className="primary" disabled={busy}>
          {t('sign.submit')}
        </button>
      </div>
    </form>
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
          {t('confirm.back')}
        </button>
      </div>
    </>
  );
}
