import { formatCnpj } from '@lavra/domain';
import { useTranslation } from '../lib/i18n.ts';

/** Below a signer's name: the company that they sign for. */
export function SignsFor({ cnpj }: { cnpj: string | null }) {
  const { t } = useTranslation();
  return cnpj && <span className="hint signs-for">{t('signer.signsFor', { cnpj: formatCnpj(cnpj) })}</span>;
}
