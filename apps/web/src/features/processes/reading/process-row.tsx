import { cancelProcess, getCurrentLinkSignature, getSubDataProcess, type ProcessListItem } from '@lavra/api';
import { canCancel, canDownload, limits } from '@lavra/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { callApi } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { codeText, errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ProcessBadge, SignerBadge } from '../../../shell/status-badge.tsx';

export function ProcessRow({ item }: { item: ProcessListItem }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr>
        <td className="card-heading">
          <strong>{item.title}</strong>
        </td>
        <td className="date" data-label={t('home.column.createdDate')}>
          {formatDateTime(item.createdDate)}
        </td>
        <td className="date" data-label={t('home.column.dueDate')}>
          {formatDateTime(item.dueDate)}
        </td>
        <td className="card-state">
          <ProcessBadge status={item.status} />
        </td>
        <td className="card-toggle">
          <button
            type="button"
            className="icon-button chev"
            aria-expanded={open}
            aria-label={t('home.detailsOf', { title: item.title })}
            onClick={() => setOpen(!open)}
          >
            <Icon name="chevron" />
          </button>
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className="wide">
            <ProcessDetails item={item} />
          </td>
        </tr>
      )}
    </>
  );
}

function ProcessDetails({ item }: { item: ProcessListItem }) {
  const { t } = useTranslation();
  const { data, isError } = useQuery({
    queryKey: ['process', item.id],
    queryFn: () => callApi(getSubDataProcess, { params: { processId: item.id } }),
  });
  const [failure, setFailure] = useState<string | null>(null);
  const [copied, setCopied] = useState<string | null>(null);
  if (isError) return <Notice kind="error">{t('home.loadFailed')}</Notice>;
  if (!data) return <div className="skeleton" aria-hidden="true" />;

  async function link(signerId?: string): Promise<string | null> {
    try {
      return (await callApi(getCurrentLinkSignature, { params: { processId: item.id }, query: { signerId } })).link;
    } catch {
      setFailure(t('home.linkFailed'));
      return null;
    }
  }
  const sign = async () => {
    const address = await link();
    if (address) window.location.assign(address);
  };
  const copy = async (signerId: string) => {
    const address = await link(signerId);
    if (!address) return;
    await navigator.clipboard.writeText(address);
    setCopied(signerId);
  };
  return (
    <div className="inner">
      {failure && <Notice kind="error">{failure}</Notice>}
      {data.problem && <Notice kind="warning">{codeText(data.problem, t, data.problemParams)}</Notice>}
      <dl className="facts">
        <dt>{t('home.column.createdDate')}</dt>
        <dd>{formatDateTime(item.createdDate)}</dd>
        <dt>{t('home.column.dueDate')}</dt>
        <dd>{formatDateTime(item.dueDate)}</dd>
        <dt>{t('home.finished')}</dt>
        <dd>{formatDateTime(item.finalizedDate)}</dd>
        {data.stakeholders.length > 0 && (
          <>
            <dt>{t('prepare.stakeholders')}</dt>
            <dd>{data.stakeholders.map(({ name }) => name).join(', ')}</dd>
          </>
        )}
      </dl>
      <h2 className="small">{t('home.signers')}</h2>
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
          {data.signers.map((signer) => (
            <tr key={`${signer.order}-${signer.email}-${signer.name}`}>
              <td data-label={t('signer.order')}>{signer.order + 1}</td>
              <td className="card-heading">{signer.name}</td>
              <td className="email" data-label={t('login.email')}>
                {signer.email}
              </td>
              <td className="card-state">
                <SignerBadge status={signer.status} />
              </td>
              <td>
                {signer.isCurrentUser && signer.status === 'SENT' && item.status === 'IN_PROGRESS' && (
                  <button type="button" className="primary" onClick={() => void sign()}>
                    {t('home.sign')}
                  </button>
                )}
                {signer.id && !signer.isCurrentUser && signer.status === 'SENT' && item.status === 'IN_PROGRESS' && (
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
      <h2 className="small">{t('home.documents')}</h2>
      <ul className="list">
        {data.documents.map((document) => (
          <li key={document.id}>
            <span className="told">
              {document.name}
              {document.notices.map(({ code, params }) => (
                <span key={code} className="hint">
                  {t(`document.was.${code}`, params)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <div className="actions">
        {canCancel(item) && <CancelButton id={item.id} title={item.title} />}
        {canDownload(item) && (
          <Link className="button" to={`/download/${item.id}`}>
            {t('home.download')}
          </Link>
        )}
      </div>
    </div>
  );
}

function CancelButton({ id, title }: { id: string; title: string }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [state, setState] = useState<'idle' | 'asking' | 'done'>('idle');
  const [failure, setFailure] = useState<unknown>(null);
  async function cancel(): Promise<void> {
    try {
      await callApi(cancelProcess, { params: { id } });
      setState('done');
      setTimeout(() => {
        setState('idle');
        void queries.invalidateQueries();
      }, limits.successPopupMs);
    } catch (error) {
      setFailure(error);
    }
  }
  return (
    <>
      <button type="button" className="danger" onClick={() => setState('asking')}>
        {t('home.cancel')}
      </button>
      {state === 'asking' && (
        <Dialog title={t('home.cancelTitle')} closeLabel={t('dialog.close')} onClose={() => setState('idle')}>
          {failure !== null && (
            <Notice kind="error">
              {t('home.cancelFailed')} {errorText(failure, t)}
            </Notice>
          )}
          <p>{t('home.cancelQuestion', { title })}</p>
          <div className="actions actions-end">
            <button type="button" onClick={() => setState('idle')}>
              {t('home.keep')}
            </button>
            <button type="button" className="danger" onClick={() => void cancel()}>
              {t('home.cancel')}
            </button>
          </div>
        </Dialog>
      )}
      {state === 'done' && (
        <Dialog title={t('home.canceled')} closeLabel={t('dialog.close')} onClose={() => setState('idle')}>
          <p>{t('home.canceledText')}</p>
        </Dialog>
      )}
    </>
  );
}
