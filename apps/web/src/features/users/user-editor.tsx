import type { AdministeredUser, users } from '@lavra/api';
import { checkedUser, limits } from '@lavra/domain';
import { useEffect } from 'react';
import { useForm, type UseFormResetField } from 'react-hook-form';
import { localeNames, locales, useTranslation } from '../../lib/i18n.ts';
import { Link } from 'react-router';
import type { EditorProps } from '../../entities/entity-view.ts';
import { SavingFault } from '../../entities/saving-fault.tsx';
import { ruleResolver } from '../../lib/rule-resolver.ts';
import { codeText } from '../../shell/error-text.ts';
import { FormCheckbox, FormSelect, FormTextField } from '../../ui/form-field.tsx';
import { PersonalDataPart } from './personal-data-part.tsx';
import { UserStanding } from './user-standing.tsx';

interface UserForm {
  email: string;
  firstName: string;
  lastName: string;
  langKey: AdministeredUser['langKey'];
  isUser: boolean;
  isAdmin: boolean;
}

/** Somebody's account: what is written of it, and beside that how it stands and what is done with it. */
export function UserEditor({ item, saving }: EditorProps<typeof users>) {
  return (
    <div className="user-editor">
      <UserFields item={item} saving={saving} />
      {item && (
        <div className="user-parts">
          <UserStanding user={item} onChange={saving.follow} />
          {item.state !== 'erased' && <PersonalDataPart user={item} onChange={saving.follow} />}
        </div>
      )}
    </div>
  );
}

function UserFields({ item, saving }: EditorProps<typeof users>) {
  const { t } = useTranslation();
  const { busy, failure, forget, back } = saving;
  const { control, handleSubmit, setError, getValues, resetField } = useForm<UserForm>({
    values: formOf(item),
    resetOptions: { keepDirtyValues: true },
    resolver: ruleResolver(
      (form) => checkedUser(writtenOf(form)),
      (code, params) => codeText(code, t, params),
    ),
  });
  const save = handleSubmit((form) => saving.save(writtenOf(form)));
  const isHolders = item !== null && item.state !== 'notActivated';
  useHoldersEmail(isHolders, resetField);
  return (
    <form
      className="card"
      onSubmit={(event) => {
        forget();
        void save(event);
      }}
      noValidate
    >
      {failure && <SavingFault saving={saving} setError={setError} getValues={getValues} />}
      <FormTextField
        control={control}
        name="email"
        type="email"
        label={t('users.field.email')}
        hint={t(isHolders ? 'users.hint.emailConfirmed' : 'users.hint.email')}
        maxLength={limits.emailMax}
        readOnly={isHolders}
        required
      />
      <FormTextField control={control} name="firstName" label={t('users.field.firstName')} maxLength={limits.nameMax} required />
      <FormTextField control={control} name="lastName" label={t('users.field.lastName')} maxLength={limits.nameMax} />
      <FormSelect
        control={control}
        name="langKey"
        label={t('shell.language')}
        options={locales.map((value) => ({ value, text: localeNames[value] }))}
      />
      <fieldset>
        <legend>{t('users.field.authorities')}</legend>
        <FormCheckbox control={control} name="isUser" label={t('users.authority.ROLE_USER')} hint={t('users.hint.ROLE_USER')} />
        <FormCheckbox control={control} name="isAdmin" label={t('users.authority.ROLE_ADMIN')} hint={t('users.hint.ROLE_ADMIN')} />
      </fieldset>
      <div className="actions">
        <Link className="button" to={back}>
          {t('entity.back')}
        </Link>
        <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
          {t('entity.save')}
        </button>
      </div>
    </form>
  );
}

/** From when it is activated an account's address is its holder's to change, whatever was typed for it here. */
function useHoldersEmail(isHolders: boolean, resetField: UseFormResetField<UserForm>): void {
  useEffect(() => {
    if (isHolders) resetField('email');
  }, [isHolders, resetField]);
}

function formOf(item: AdministeredUser | null): UserForm {
  return {
    email: item?.email ?? '',
    firstName: item?.firstName ?? '',
    lastName: item?.lastName ?? '',
    langKey: item?.langKey ?? 'pt-br',
    isUser: item?.authorities.includes('ROLE_USER') ?? true,
    isAdmin: item?.authorities.includes('ROLE_ADMIN') ?? false,
  };
}

function writtenOf({ isUser, isAdmin, ...form }: UserForm) {
  return { ...form, authorities: [...(isUser ? ['ROLE_USER' as const] : []), ...(isAdmin ? ['ROLE_ADMIN' as const] : [])] };
}
