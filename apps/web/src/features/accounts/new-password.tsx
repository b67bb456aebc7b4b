import { limits, passwordStrength } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { PasswordField } from '../../ui/field.tsx';
import { newPasswordFault } from './new-password-fault.ts';

export interface NewPassword {
  password: string;
  repeat: string;
}

/** A new password twice, with the strength meter (five levels). */
export function NewPasswordFields({
  value,
  onChange,
  tried,
  serverError,
}: {
  value: NewPassword;
  onChange(value: NewPassword): void;
  tried: boolean;
  serverError?: string | undefined;
}) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState('');
  useEffect(() => {
    if (serverError !== undefined) setRefused(value.password);
  }, [serverError]);
  // What the server has just refused as known is not called good beside that.
  const level = value.password !== '' && value.password === refused ? 1 : passwordStrength(value.password);
  const common = {
    autoComplete: 'new-password',
    maxLength: limits.passwordFieldMax,
    showLabel: t('password.show'),
    hideLabel: t('password.hide'),
  };
  const fault = tried ? newPasswordFault(value) : null;
  const ownFault =
    fault === null || fault === 'password.dontmatch' ? undefined : t(fault, { min: limits.passwordFieldMin, max: limits.passwordFieldMax });
  return (
    <>
      <PasswordField
        {...common}
        label={t('password.new')}
        // What is missing is the hint itself, told once.
        hint={ownFault === undefined ? t('password.hint') : undefined}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        error={ownFault ?? serverError}
      />
      <div className={`meter meter-${level}`}>
        <div className="meter-steps" role="img" aria-label={t('password.strength', { level })}>
          {[1, 2, 3, 4, 5].map((step) => (
            <span key={step} className={step <= level ? 'on' : ''} />
          ))}
        </div>
        <p className="hint" aria-live="polite">
          {level > 0 && t(`password.level.${level}`)}
        </p>
      </div>
      <PasswordField
        {...common}
        label={t('password.repeat')}
        value={value.repeat}
        onChange={(repeat) => onChange({ ...value, repeat })}
        error={fault === 'password.dontmatch' ? t(fault) : undefined}
      />
    </>
  );
}
