import { correctSigner, getProcessesInfos, getProcessStory, getSubDataProcess, type Reply } from '@lavra/api';
import { checkedSigner, formatCnpj, formatCpf, limits } from '@lavra/domain';
import { type Control, useForm } from 'react-hook-form';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { ruleResolver } from '../../../lib/rule-resolver.ts';
import { codeText, errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormTextField } from '../../../ui/form-field.tsx';
import { showToast } from '../../../ui/toasts.ts';

type Signer = Reply<typeof getSubDataProcess>['signers'][number];

interface Values {
  name: string;
  email: string;
  phoneNumber: string;
  legalIdentifier: string;
  companyIdentifier: string;
}

const orNone = (text: string) => (text.trim() === '' ? null : text);

function correctionOf({ name, email, ...optional }: Values) {
  const { phoneNumber, legalIdentifier, companyIdentifier } = optional;
  return {
    name,
    email,
    phoneNumber: orNone(phoneNumber),
    legalIdentifier: orNone(legalIdentifier),
    companyIdentifier: orNone(companyIdentifier),
  };
}

/** What the server asks of it as well. */
const assertCorrection = (values: Values) => void checkedSigner({ ...correctionOf(values), order: 0 });

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
      phoneNumber: signer.phoneNumber ?? '',
      legalIdentifier: formatCpf(signer.legalIdentifier ?? ''),
      companyIdentifier: formatCnpj(signer.companyIdentifier ?? ''),
    },
    resolver: ruleResolver(assertCorrection, (code, params) => codeText(code, t, params)),
  });
  const save = handleSubmit(async (values) => {
    if (!(await act({ params: { id, signerId: signer.id ?? '' }, body: correctionOf(values) }))) return;
    onClose();
    showToast({ text: t('home.corrected', { name: values.name }) });
  });
  return (
    <Dialog title={t('home.correctTitle', { name: signer.name })} closeLabel={t('dialog.close')} busy={busy} onClose={onClose}>
      <form noValidate onSubmit={(event) => void save(event)}>
        <p>{t('home.correctText')}</p>
        <CorrectionFields control={control} />
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

function CorrectionFields({ control }: { control: Control<Values> }) {
  const { t } = useTranslation();
  return (
    <>
      <FormTextField control={control} name="name" label={t('word.name')} maxLength={limits.nameMax} autoComplete="off" />
      <FormTextField
        control={control}
        name="email"
        label={t('word.email')}
        type="email"
        maxLength={limits.signerEmailMax}
        autoComplete="off"
      />
      <FormTextField
        control={control}
        name="phoneNumber"
        label={t('word.phoneOptional')}
        type="tel"
        maxLength={limits.signerPhoneMax}
        hint={t('word.phoneHint')}
        autoComplete="off"
      />
      <FormTextField
        control={control}
        name="legalIdentifier"
        label={t('word.cpfOptional')}
        inputMode="numeric"
        mask={formatCpf}
        hint={t('word.cpfHint')}
        autoComplete="off"
      />
      <FormTextField
        control={control}
        name="companyIdentifier"
        label={t('word.cnpjOptional')}
        autoCapitalize="characters"
        mask={formatCnpj}
        hint={t('word.cnpjHint')}
        autoComplete="off"
      />
    </>
  );
}
