import { useTranslation } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';
import { SignsFor } from '../../shell/signs-for.tsx';
import { SignerBadge } from '../../shell/status-badge.tsx';
import type { SignerInformation } from './signer-information.ts';

/** Who asks, how many have signed and until when, in one line; opened, it has everybody in their order. The document comes first. */
export function SigningPeople({ information }: { information: SignerInformation }) {
  const { t } = useTranslation();
  const { signers, creatorName, type } = information;
  const done = signers.filter(({ status }) => status === 'SIGNED').length;
  const until = ownDeadline(information);
  return (
    <details className="signing-people">
      <summary>
        <span>{t('signer.askedBy', { name: creatorName })}</span>
        <span>{t('signer.progress', { done, count: signers.length })}</span>
        {until !== null && <span>{t('signer.until', { at: formatDateTime(until) })}</span>}
        <span>{t(type === 'DIGITAL_SIGNATURE' ? 'word.levelDigital' : 'word.level')}</span>
      </summary>
      <ol>
        {signers.map((signer, index) => (
          // Names may repeat; the order and the place in the list do not.
          <li key={`${signer.order}-${index}`}>
            <span className="signing-order">{signer.order + 1}</span>
            <span className="signing-who">
              {signer.name} {signer.isCurrent && <span className="badge">{t('signer.you')}</span>}
              <SignsFor cnpj={signer.companyIdentifier} />
              <span className="hint">{signer.email}</span>
              {signer.phoneNumber && <span className="hint">{signer.phoneNumber}</span>}
            </span>
            <SignerBadge status={signer.status} hasEnded={information.status !== 'IN_PROGRESS'} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The first of the deadlines that bind whoever holds the link; a visitor sees the process's. */
function ownDeadline({ signers, dueDate }: SignerInformation): string | null {
  const own = signers.find(({ isCurrent }) => isCurrent)?.dueDate ?? null;
  if (own === null || dueDate === null) return own ?? dueDate;
  return Date.parse(own) < Date.parse(dueDate) ? own : dueDate;
}
