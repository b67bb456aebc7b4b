import { checkedSignerName, formatCnpj, formatCpf, limits, parseCnpj, parseCpf, parseEmail, refusalOf } from '@lavra/domain';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { TextField } from '../../../ui/field.tsx';
import { NameField } from '../../../ui/name-field.tsx';
import type { SignerDraft, SignerPerson } from './process-draft.ts';
import { signerFault } from './signer-fault.ts';

interface SignerFormProps {
  /** Who is in the list already and is being corrected. */
  person?: SignerDraft;
  /** What it is filled with, for somebody who is not in the list: what keeps them from it is told at once. */
  given?: SignerPerson | undefined;
  onSave(person: SignerPerson): void;
  onPending?(pending: boolean): void;
  onCancel?(): void;
}

/**
 * Who is to sign. The CPF is optional: with it only that person's certificate will do. So is the CNPJ of a company that they sign for,
 * whose certificate then will do too.
 */
export function SignerForm({ person, given = person, onSave, onPending, onCancel }: SignerFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(given?.name ?? '');
  const [email, setEmail] = useState(given?.email ?? '');
  const [phoneNumber, setPhoneNumber] = useState(given?.phoneNumber ?? '');
  const [cpf, setCpf] = useState(formatCpf(given?.cpf ?? ''));
  const [cnpj, setCnpj] = useState(formatCnpj(given?.cnpj ?? ''));
  const [tried, setTried] = useState(() => given !== undefined && signerFault(given) !== null);
  const nameFault = refusalOf(() => checkedSignerName(name));
  const address = parseEmail(email, limits.signerEmailMax);
  const typed = name.trim() !== '' || email.trim() !== '' || phoneNumber.trim() !== '' || cpf !== '' || cnpj !== '';
  const digits = parseCpf(cpf);
  const cpfFault = cpf !== '' && !digits ? t('evidence.cpfInvalid') : undefined;
  const company = parseCnpj(cnpj);
  const cnpjFault = cnpj !== '' && !company ? t('company.cnpjInvalid') : undefined;
  useEffect(() => onPending?.(typed), [typed]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (nameFault || cpfFault || cnpjFault || address === null) return;
    onSave({ name: checkedSignerName(name), email: address, phoneNumber: phoneNumber.trim() || null, cpf: digits, cnpj: company });
    for (const empty of [setName, setEmail, setPhoneNumber, setCpf, setCnpj]) empty('');
    setTried(false);
  }
  return (
    <form className="inline-form signer-form" onSubmit={submit} noValidate>
      <NameField
        label={t('word.name')}
        autoComplete="off"
        value={name}
        onChange={setName}
        error={nameFault && (tried || name.trim() !== '') ? t(nameFault.code, nameFault.params) : undefined}
      />
      <TextField
        label={t('word.email')}
        type="email"
        autoComplete="off"
        maxLength={limits.signerEmailMax}
        value={email}
        onChange={setEmail}
        error={tried && address === null ? t('signer.emailInvalid') : undefined}
      />
      <PhoneField value={phoneNumber} onChange={setPhoneNumber} />
      <IdentifierFields cpf={cpf} cnpj={cnpj} faults={tried ? { cpf: cpfFault, cnpj: cnpjFault } : {}} onCpf={setCpf} onCnpj={setCnpj} />
      <div className="form-buttons">
        <button type="submit">{t(person ? 'prepare.save' : 'prepare.addSigner')}</button>
        {onCancel && (
          <button type="button" className="quiet" onClick={onCancel}>
            {t('word.cancel')}
          </button>
        )}
      </div>
    </form>
  );
}

function PhoneField({ value, onChange }: { value: string; onChange(text: string): void }) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('word.phoneOptional')}
      type="tel"
      autoComplete="off"
      maxLength={limits.signerPhoneMax}
      hint={t('word.phoneHint')}
      value={value}
      onChange={onChange}
    />
  );
}

interface IdentifierProps {
  cpf: string;
  cnpj: string;
  faults: { cpf?: string | undefined; cnpj?: string | undefined };
  onCpf(text: string): void;
  onCnpj(text: string): void;
}

function IdentifierFields({ cpf, cnpj, faults, onCpf, onCnpj }: IdentifierProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t('word.cpfOptional')}
        inputMode="numeric"
        autoComplete="off"
        placeholder="000.000.000-00"
        hint={t('word.cpfHint')}
        value={cpf}
        onChange={(text) => onCpf(formatCpf(text))}
        error={faults.cpf}
      />
      <TextField
        label={t('word.cnpjOptional')}
        autoComplete="off"
        autoCapitalize="characters"
        placeholder="00.000.000/0000-00"
        hint={t('word.cnpjHint')}
        value={cnpj}
        onChange={(text) => onCnpj(formatCnpj(text))}
        error={faults.cnpj}
      />
    </>
  );
}
