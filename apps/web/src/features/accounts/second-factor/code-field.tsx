import { useTranslation } from '../../../lib/i18n.ts';
import { TextField } from '../../../ui/field.tsx';

interface CodeFieldProps {
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** Six digits of an app; what stands between them is dropped, pasted or typed. */
export function CodeField({ value, onChange, error, autoFocus }: CodeFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t('factor.code')}
      hint={t('factor.codeHint')}
      inputMode="numeric"
      autoComplete="one-time-code"
      className="code-input"
      autoFocus={autoFocus}
      value={value}
      onChange={(typed) => onChange(typed.replaceAll(/\D/g, '').slice(0, 6))}
      error={error}
    />
  );
}
