import { getManagementInfo, register } from '@lavra/api';
import { checkedFirstName, isEmail, limits, refusalOf, splitName } from '@lavra/domain';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'react-router';
import { useGo } from '../../lib/go.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct } from '../../lib/calls.ts';
import type { Locale } from '../../lib/i18n.ts';
import { keepToken } from '../../lib/session.ts';
import { errorText, fieldErrorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { TextField } from '../../ui/field.tsx';
import { newPasswordFault } from './new-password-fault.ts';
import { type NewPassword, NewPasswordFields } from './new-password.tsx';

interface Registration {
  name: string;
  email: string;
  password: NewPassword;
  /** Of the first account of an installation in production. */
  firstKey: string;
}

/** What is typed, sent as an account. The first of all is signed in; the others learn at / that a link is in their mailbox. */
function useRegistration() {
  const { i18n } = useTranslation();
  const go = useGo();
  const { act, busy, failure } = useAct(register, [getManagementInfo]);
  async function submit({ name, email, password, firstKey }: Registration): Promise<void> {
    const [fullName, login, key] = [name.trim(), email.trim(), firstKey.trim()];
    const body = { ...splitName(fullName), login, email: login, password: password.password, langKey: i18n.language as Locale };
    const registered = await act({ body: { ...body, ...(key === '' ? {} : { firstKey: key }) } });
    if (!registered) return;
    const { id_token: token } = registered.reply;
    await go('/', {
      state:
        token === undefined
          ? { message: 'register.check', params: { email: login }, registered: { name: fullName, email: login } }
          : { message: 'register.ready' },
    });
    // Told there first: a session leads on from it, with the message.
    if (token !== undefined) keepToken(token, false);
  }
  return { submit, busy, failure };
}

/** Name, e-mail and password of a new account; whoever registers once more finds what was typed before. */
export function RegisterForm() {
  const { t } = useTranslation();
  // The start of an installation in production prints this page's address with the key behind the #, which no server sees.
  const { hash, state } = useLocation();
  const given = new URLSearchParams(hash.slice(1)).get('key') ?? '';
  const { name = '', email = '' } = ((state ?? {}) as { registered?: Partial<Registration> }).registered ?? {};
  const [form, setForm] = useState<Registration>({ name, email, password: { password: '', repeat: '' }, firstKey: given });
  const [tried, setTried] = useState(false);
  const { submit, busy, failure } = useRegistration();
  const change = (part: Partial<Registration>) => setForm((latest) => ({ ...latest, ...part }));
  const nameFault = refusalOf(() => checkedFirstName(form.name));
  const isAddress = isEmail(form.email.trim());
  const faults = {
    name: tried && nameFault ? t(nameFault.code, nameFault.params) : fieldErrorText(failure, 'firstName', t),
    email: tried && !isAddress ? t('account.emailInvalid') : fieldErrorText(failure, 'email', t),
    password: fieldErrorText(failure, 'password', t),
    firstKey: fieldErrorText(failure, 'firstKey', t),
  };
  const isToldBesideField =
    faults.name !== undefined || faults.email !== undefined || faults.password !== undefined || faults.firstKey !== undefined;
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (!nameFault && isAddress && !newPasswordFault(form.password)) void submit(form);
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      {failure !== null && !isToldBesideField && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <TextField
        label={t('register.name')}
        autoComplete="name"
        maxLength={limits.nameMax}
        value={form.name}
        onChange={(name) => change({ name })}
        error={faults.name}
      />
      <TextField
        label={t('word.email')}
        type="email"
        autoComplete="email"
        maxLength={limits.emailMax}
        value={form.email}
        onChange={(email) => change({ email })}
        error={faults.email}
      />
      <NewPasswordFields value={form.password} onChange={(password) => change({ password })} tried={tried} serverError={faults.password} />
      {(form.firstKey !== '' || faults.firstKey !== undefined) && (
        <FirstKeyField value={form.firstKey} fault={faults.firstKey} onChange={(firstKey) => change({ firstKey })} />
      )}
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {t('register.submit')}
        </button>
      </div>
    </form>
  );
}

interface FirstKeyProps {
  value: string;
  fault: string | undefined;
  onChange(key: string): void;
}

function FirstKeyField({ value, fault, onChange }: FirstKeyProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('register.firstKey')}
      hint={t('register.firstKeyHint')}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={onChange}
      error={fault}
    />
  );
}
