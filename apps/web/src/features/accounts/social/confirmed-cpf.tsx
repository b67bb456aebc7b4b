import type { Account } from '@lavra/api';
import { maskCpf } from '@lavra/domain';
import { useTranslation } from '../../../lib/i18n.ts';
import { TextField } from '../../../ui/field.tsx';

/** The account's own CPF, where a provider vouches for it. It is shown, not typed. */
export function ConfirmedCpf({ account: { confirmedCpf } }: { account: Account }) {
  const { t } = useTranslation();
  if (!confirmedCpf) return null;
  const hint = t('settings.cpfHint', { provider: confirmedCpf.by });
  return <TextField label={t('settings.cpf')} value={maskCpf(confirmedCpf.cpf)} readOnly onChange={() => {}} hint={hint} />;
}
