import { getCurrentLinkSignature, type getSubDataProcess, type ProcessListItem, type Reply } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../../lib/api-client.ts';
import { Notice } from '../../../shell/page.tsx';
import { SignsFor } from '../../../shell/signs-for.tsx';
import { SignerBadge } from '../../../shell/status-badge.tsx';

type Signer = Reply<typeof getSubDataProcess>['signers'][number];

interface SignersProps {
  item: ProcessListItem;
  signers: readonly Signer[];
}

/** The signers in their order; each row has the way to sign, or the link to hand out. */
export function ProcessSigners({ item, signers }: SignersProps) {
  const { t } = useTranslation();
  const { sign, copy, copied, failed } = useSigningLink(item.id);
  return (
    <>
      {failed && <Notice kind="error">{t('home.linkFailed')}</Notice>}
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{t('signer.order')}</th>
            <th scope="col">{t('signer.name')}</th>
            <th scope="col">{t('login.email')}</th>
            <th scope="col">{t('home.column.status')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('home.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {signers.map((signer) => (
            <tr key={`${signer.order}-${signer.email}-${signer.name}`}>
              <td data-label={t('signer.order')}>{signer.order + 1}</td>
              <td className="card-heading">
                <span>
                  {signer.name}
                  <SignsFor cnpj={signer.companyIdentifier} />
                </span>
              </td>
              <td className="email" data-label={t('login.email')}>
                {signer.email}
              </td>
              <td className="card-state">
                <SignerBadge status={signer.status} />
              </td>
              <td>
                {signer.can.sign && (
                  <button type="button" className="primary" onClick={() => void sign()}>
                    {t('home.sign')}
                  </button>
                )}
                {signer.can.handOutLink && (
                  <button type="button" className="quiet" onClick={() => void copy(signer.id ?? '')}>
                    {t(copied === signer.id ? 'home.copied' : 'home.copyLink')}
                  </button>
                )}
                {signer.rejectCause && <span className="hint">{signer.rejectCause}</span>}
                {signer.signedAs && <span className="hint">{t('home.signedAs', { name: signer.signedAs })}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** A signing link is asked for when it is wanted, because handing it out is an event: one's own is followed, another's copied. */
function useSigningLink(processId: string) {
  const [failed, setFailed] = useState(false);
  const [copied, setCopied] = useState<string | null>(null);
  async function link(signerId?: string): Promise<string | null> {
    try {
      return (await callApi(getCurrentLinkSignature, { params: { processId }, query: { signerId } })).link;
    } catch {
      setFailed(true);
      return null;
    }
  }
  return {
    failed,
    copied,
    async sign(): Promise<void> {
      const address = await link();
      if (address) window.location.assign(address);
    },
    async copy(signerId: string): Promise<void> {
      const address = await link(signerId);
      if (!address) return;
      await navigator.clipboard.writeText(address);
      setCopied(signerId);
    },
  };
}
