import { contractTypes, type contracts } from '@lavra/api';
import { checkedContract } from '@lavra/domain';
import { type Control, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import type { EditorProps } from '../../entities/entity-view.ts';
import { SavingFault } from '../../entities/saving-fault.tsx';
import { useCall } from '../../lib/calls.ts';
import { ruleResolver } from '../../lib/rule-resolver.ts';
import { codeText, errorText, retryOf } from '../../shell/error-text.ts';
import { TextField } from '../../ui/field.tsx';
import { FormCheckbox, FormSelect, FormTextField } from '../../ui/form-field.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { findPerson } from './find-person.ts';
import { type ContractValues, valuesOf, writtenOf } from './contract-values.ts';
import { PersonField } from './person-field.tsx';
import { ValidityField } from './validity-field.tsx';

type Types = readonly { readonly id: number; readonly name: string }[];

/** How many types the select offers. */
const MOST_TYPES = 200;

/** A contract's form (section 2), once the types that it chooses from are there. */
export function ContractForm({ item, saving }: EditorProps<typeof contracts>) {
  const query = { page: 0, size: MOST_TYPES, sort: 'name,asc' };
  const { data, error, refetch } = useCall(contractTypes.list, { query });
  const { t } = useTranslation();
  if (error) return <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />;
  if (!data) return <Loading />;
  return <Fields item={item} saving={saving} types={data.items} />;
}

function Fields({ item, saving, types }: EditorProps<typeof contracts> & { types: Types }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { failure, forget, back, save } = saving;
  const { control, handleSubmit, setError, getValues, formState } = useForm<ContractValues>({
    defaultValues: valuesOf(item, new Date()),
    resolver: ruleResolver(
      (values) => checkedContract(writtenOf(values, null)),
      (code, params) => codeText(code, t, params),
    ),
  });
  // Whose it is is asked first, and that may take its time too.
  const busy = saving.busy || formState.isSubmitting;
  const submit = handleSubmit(async (values) => {
    const owner = await findPerson(values.applicationUsers, item?.applicationUsers ?? null).catch((error: unknown) => ({ error }));
    if (owner && 'error' in owner) return setError('applicationUsers', { message: errorText(owner.error, t) }, { shouldFocus: true });
    if (owner === undefined) return setError('applicationUsers', { message: codeText('contract.ownerUnknown', t) }, { shouldFocus: true });
    await save(writtenOf(values, owner));
  });
  return (
    <form
      className="card contract-card"
      onSubmit={(event) => {
        forget();
        void submit(event);
      }}
      noValidate
    >
      {failure && <SavingFault saving={saving} setError={setError} getValues={getValues} />}
      {item !== null && <TextField label={t('entity.id')} value={String(item.id)} readOnly onChange={() => {}} />}
      <Inputs control={control} types={types} />
      {item !== null && <p className="hint">{t('contract.resets')}</p>}
      <div className="actions">
        <button type="button" onClick={() => void navigate(back)}>
          {t('entity.back')}
        </button>
        <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
          {t('entity.save')}
        </button>
      </div>
    </form>
  );
}

function Inputs({ control, types }: { control: Control<ContractValues>; types: Types }) {
  const { t } = useTranslation();
  const text = (name: string) => ({ label: t(`contract.field.${name}`), hint: t(`contract.hint.${name}`) });
  return (
    <>
      <ValidityField control={control} {...text('validity')} />
      <FormSelect
        control={control}
        name="paymentType"
        label={t('contract.field.paymentType')}
        options={[
          { value: '1', text: t('contract.choice.paymentType.MONTHLY') },
          { value: '2', text: t('contract.choice.paymentType.YEARLY') },
        ]}
      />
      <FormTextField
        control={control}
        name="storageRetentionTime"
        {...text('storageRetentionTime')}
        inputMode="numeric"
        maxLength={6}
        autoComplete="off"
      />
      <FormSelect
        control={control}
        name="contractType"
        {...text('contractType')}
        options={[{ value: '', text: '' }, ...types.map(({ id, name }) => ({ value: String(id), text: name }))]}
      />
      <PersonField control={control} name="applicationUsers" {...text('applicationUsers')} />
      <FormCheckbox control={control} name="suspended" {...text('suspended')} />
    </>
  );
}
