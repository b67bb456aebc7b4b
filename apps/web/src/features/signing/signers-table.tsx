import { useTranslation } from 'react-i18next';
import { SignsFor } from '../../shell/signs-for.tsx';
import { SignerBadge } from '../../shell/status-badge.tsx';
import type { SignerInformation } from './signer-information.ts';

/** Who signs, in which order; the holder of the link is marked. */
export function SignersTable({ information }: { information: SignerInformation }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-label={t('home.signers')}>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{t('signer.order')}</th>
            <th scope="col">{t('signer.name')}</th>
            <th scope="col">{t('login.email')}</th>
            <th scope="col">{t('signer.phone')}</th>
            <th scope="col">{t('home.column.status')}</th>
          </tr>
        </thead>
        <tbody>
          {information.signers.map((signer, index) => (
            // Names may repeat; the order and the place in the list do not.
            <tr key={`${signer.order}-${index}`}>
              <td data-label={t('signer.order')}>{signer.order + 1}</td>
              <td className="card-heading">
                <span>
                  {signer.name} {signer.isCurrent && <span className="badge">{t('signer.you')}</span>}
                  <SignsFor cnpj={signer.companyIdentifier} />
                </span>
              </td>
              <td className="email" data-label={t('login.email')}>
                {signer.email}
              </td>
              <td className={signer.phoneNumber ? undefined : 'nothing'} data-label={t('signer.phone')}>
                {signer.phoneNumber ?? '—'}
              </td>
              <td className="card-state">
                <SignerBadge status={signer.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
