import { checkSignerCpf } from '@lavra/api';
import { checkedSigningName, formatCpf, parseCpf, refusalOf } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { Checkbox, TextField } from '../../ui/field.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { ApiError } from '../../lib/api-client.ts';
import { useAct } from '../../lib/calls.ts';
import { errorText } from '../../shell/error-text.ts';
import { ActFoot } from './act-foot.tsx';
import type { ActingInformation } from './electronic-dialog.tsx';
import { readRemembered, remember } from './remembered-signer.ts';

export interface Person {
  name: string;
  /** Eleven digits. */
  cpf: string;
}

interface DataStepProps {
  /** Kept while the next step is shown. */
  hidden: boolean;
  processId: string;
  information: ActingInformation;
  person: Person;
  onNext(person: Person): void;
  /** Asks for the status now: what keeps this person from signing is told by the page, too. */
  onRefresh(): Promise<unknown>;
  onCancel(): void;
}

/** Who signs: full name and CPF, kept on this device only when asked to. A CPF that is not the invitation's is told here. */
export function DataStep({ hidden, processId, information, person, onNext, onRefresh, onCancel }: DataStepProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(person.name);
  const [cpf, setCpf] = useState(formatCpf(person.cpf));
  const [keep, setKeep] = useState(readRemembered() !== null);
  const [tried, setTried] = useState(false);
  // What the document cannot show is told while it is typed, not when all is filled in.
  const nameFault = refusalOf(() => checkedSigningName(name));
  const digits = parseCpf(cpf);
  const { act, busy, failure, forget } = useAct(checkSignerCpf);
  const isOther = failure instanceof ApiError && failure.code === 'signer.otherCpf';
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    setTried(true);
    const fields = event.currentTarget.querySelectorAll('input');
    if (nameFault || !digits) return fields[nameFault ? 0 : 1]?.focus();
    if (!(await act({ params: { signerId: information.me.id }, body: { processId, cpf: digits } }))) {
      void onRefresh();
      return fields[1]?.focus();
    }
    const signing = { name: checkedSigningName(name), cpf: digits };
    remember(keep ? signing : null);
    onNext(signing);
  }
  const otherCpf = isOther ? t('sign.otherCpf', { name: information.creatorName }) : undefined;
  const cpfFault = tried && !digits ? t('evidence.cpfInvalid') : otherCpf;
  return (
    <form hidden={hidden} onSubmit={(event) => void submit(event)} noValidate>
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
        onChange={(text) => {
          setCpf(formatCpf(text));
          if (failure !== null) forget();
        }}
        error={cpfFault}
      />
      <Checkbox label={t('sign.remember')} checked={keep} onChange={setKeep} />
      <ActFoot fault={failure === null || isOther ? undefined : errorText(failure, t)}>
        <button type="button" onClick={onCancel}>
          {t('word.cancel')}
        </button>
        <button type="submit" className="primary" disabled={busy}>
          {t('sign.continue')}
        </button>
      </ActFoot>
    </form>
  );
}
