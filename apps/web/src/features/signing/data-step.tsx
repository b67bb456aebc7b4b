import { checkedSigningName, formatCpf, parseCpf, refusalOf } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { readRemembered, remember } from './remembered-signer.ts';

export interface Person {
  name: string;
  /** Eleven digits. */
  cpf: string;
}

/** Who signs: full name and CPF, kept on this device only when asked to. */
export function DataStep({ person, onNext, onCancel }: { person: Person; onNext(person: Person): void; onCancel(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(person.name);
  const [cpf, setCpf] = useState(formatCpf(person.cpf));
  const [keep, setKeep] = useState(readRemembered() !== null);
  const [tried, setTried] = useState(false);
  // What the document cannot show is told while it is typed, not when all is filled in.
  const nameFault = refusalOf(() => checkedSigningName(name));
  const digits = parseCpf(cpf);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setTried(true);
    if (nameFault || !digits) {
      const fields = event.currentTarget.querySelectorAll('input');
      fields[nameFault ? 0 : 1]?.focus();
      return;
    }
    const signing = { name: checkedSigningName(name), cpf: digits };
    remember(keep ? signing : null);
    onNext(signing);
  }
  return (
    <form onSubmit={submit} noValidate>
      <NameField
        label={t('sign.fullName')}
        autoComplete="name"
        value={name}
        onChange={setName}
        error={nameFault && (tried || name.trim() !== '') ? t(nameFault.code, nameFault.params) : undefined}
      />
      <TextField
        label="CPF"
        inputMode="numeric"
        autoComplete="off"
        placeholder="000.000.000-00"
        value={cpf}
        onChange={(text) => setCpf(formatCpf(text))}
        error={tried && !digits ? t('evidence.cpfInvalid') : undefined}
      />
      <Checkbox label={t('sign.remember')} checked={keep} onChange={setKeep} />
      <div className="actions actions-end">
        <button type="button" onClick={onCancel}>
          {t('prepare.cancel')}
        </button>
        <button type="submit" className="primary">
          {t('sign.continue')}
        </button>
      </div>
    </form>
  );
}
