import { listContacts } from '@lavra/api';
import { useTranslation } from '../../../lib/i18n.ts';
import { useCall } from '../../../lib/calls.ts';
import type { SignerPerson } from './process-draft.ts';

/** As many as are taken in at a glance. */
const SHOWN = 6;

interface ContactsProps {
  known: readonly string[];
  onAdd(person: SignerPerson): void;
}

/** People whom this account has called before: one press each. An answer that does not come leaves the form as it is. */
export function RecentContacts({ known, onAdd }: ContactsProps) {
  const { t } = useTranslation();
  const { data: contacts = [] } = useCall(listContacts, {}, { retry: false });
  const offered = contacts.filter(({ email }) => !known.includes(email)).slice(0, SHOWN);
  if (offered.length === 0) return null;
  return (
    <div className="contacts" role="group" aria-label={t('prepare.contacts')}>
      <span className="hint">{t('prepare.contacts')}</span>
      {offered.map(({ name, email }) => (
        <button
          key={email}
          type="button"
          title={email}
          aria-label={t('prepare.contactAdd', { name, email })}
          onClick={() => onAdd({ name, email, phoneNumber: null, cpf: null, cnpj: null })}
        >
          + {name}
        </button>
      ))}
    </div>
  );
}
