import { correctSigner, getProcessesInfos, getProcessStory, getSubDataProcess, type Reply } from '@lavra/api';
import { checkedSignerName, DomainError, formatCpf, isEmail, limits, parseCpf } from '@lavra/domain';
import { useForm } from 'react-hook-form';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { ruleResolver } from '../../../lib/rule-resolver.ts';
import { codeText, errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormTextField } from '../../../ui/form-field.tsx';
import { maskDigits } from '../../../ui/masks.ts';
import { showToast } from '../../../ui/toasts.ts';

type Signer = Reply<typeof getSubDataProcess>['signers'][number];

interface Values {
  name: string;
  email: string;
  cpf: string;
}

/** What the server asks of it as well. */
function assertCorrection({ name, email, cpf }: Values): void {
  try {
    checkedSignerName(name);
  } catch (error) {
    throw error instanceof DomainError ? new DomainError(error.code, { ...error, field: 'name' }) : error;
  }
  if (!isEmail(email.trim(), limits.signerEmailMax)) throw new DomainError('signer.emailInvalid', { field: 'email' });
  if (cpf !== '' && !parseCpf(cpf)) throw new DomainError('evidence.cpfInvalid', { field: 'cpf' });
}

interface CorrectSignerProps {
  id: string;
  signer: Signer;
  onClose(): void;
}

/** Who a signer is, while they have not acted: it says beforehand that their link dies of it. */
export function CorrectSigner({ id, signer, onClose }: CorrectSignerProps) {
  const { t } = useTranslation();
  const { act, busy, failure } = useAct(correctSigner, [getSubDataProcess, getProcessStory, getProcessesInfos]);
  const { control, handleSubmit } = useForm<Values>({
    defaultValues: {
      name: signer.name,
      email: signer.email,
      cpf: signer.legalIdentifier === null ? '' : formatCpf(signer.legalIdentifier),
    },
    resolver: ruleResolver(assertCorrection, (code, params) => codeText(code, t, params)),
  });
  const save = handleSubmit(async ({ name, email, cpf }) => {
    const body = { name, email, legalIdentifier: cpf === '' ? null : cpf };
    if (!(await act({ params: { id, signerId: signer.id ?? '' }, body }))) return;
    onClose();
    showToast({ text: t('home.corrected', { name }) });
  });
  return (
    <Dialog title={t('home.correctTitle', { name: signer.name })} closeLabel={t('dialog.close')} busy={busy} onClose={onClose}>
      <form noValidate onSubmit={(event) => void save(event)}>
        <p>{t('home.correctText')}</p>
        <FormTextField control={control} name="name" label={t('word.name')} maxLength={limits.nameMax} autoComplete="off" />
        <FormTextField control={control} name="email" label={t('word.email')} type="email" autoComplete="off" />
        <FormTextField
          control={control}
          name="cpf"
          label={t('home.cpfOptional')}
          inputMode="numeric"
          mask={(text) => maskDigits(text, '999.999.999-99')}
          autoComplete="off"
        />
        {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
        <div className="actions actions-end">
          <button type="button" disabled={busy} onClick={onClose}>
            {t('home.keep')}
          </button>
          <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
            {t('home.correctSave')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
