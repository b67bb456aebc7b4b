import { checkedSignerName, formatCpf, limits, parseCpf, parseEmail, refusalOf } from '@lavra/domain';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../../ui/field.tsx';
import { NameField } from '../../../ui/name-field.tsx';
import type { SignerDraft } from './process-draft.ts';

interface SignerFormProps {
  onAdd(person: Pick<SignerDraft, 'name' | 'email' | 'cpf'>): void;
  onPending(pending: boolean): void;
}

/** Who is to sign. The CPF is optional: with it only that person's certificate will do. */
export function SignerForm({ onAdd, onPending }: SignerFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [cpf, setCpf] = useState('');
  const [tried, setTried] = useState(false);
  const nameFault = refusalOf(() => checkedSignerName(name));
  const address = parseEmail(email, limits.signerEmailMax);
  const typed = name.trim() !== '' || email.trim() !== '' || cpf !== '';
  const digits = parseCpf(cpf);
  const cpfFault = cpf !== '' && !digits ? t('evidence.cpfInvalid') : undefined;
  useEffect(() => onPending(typed), [typed]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (nameFault || cpfFault || address === null) return;
    onAdd({ name: checkedSignerName(name), email: address, cpf: digits });
    setName('');
    setEmail('');
    setCpf('');
    setTried(false);
  }
  return (
    <form className="inline-form signer-form" onSubmit={submit} noValidate>
      <NameField
        label={t('signer.name')}
        autoComplete="off"
        value={name}
        onChange={setName}
        error={nameFault && (tried || name.trim() !== '') ? t(nameFault.code, nameFault.params) : undefined}
      />
      <TextField
        label={t('login.email')}
        type="email"
        autoComplete="off"
        maxLength={limits.signerEmailMax}
        value={email}
        onChange={setEmail}
        error={tried && address === null ? t('signer.emailInvalid') : undefined}
      />
      <TextField
        label={t('prepare.cpf')}
        inputMode="numeric"
        autoComplete="off"
        placeholder="000.000.000-00"
        hint={t('prepare.cpfHint')}
        value={cpf}
        onChange={(text) => setCpf(formatCpf(text))}
        error={tried ? cpfFault : undefined}
      />
      <button type="submit">{t('prepare.addSigner')}</button>
    </form>
  );
}
