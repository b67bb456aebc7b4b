import { downloadValidated, getValidation, type Reply } from '@lavra/api';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { callAddress, callApi, saveFile } from '../../lib/api-client.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Page } from '../../shell/page.tsx';
import { ProcessBadge, SignerBadge } from '../../shell/status-badge.tsx';

type Validation = Reply<typeof getValidation>;

/** Needs the document that was asked for in the navigation state; without it back to the form (section 2). */
export function Component() {
  const { t } = useTranslation();
  const { documentId, ticket } = (useLocation().state ?? {}) as { documentId?: string; ticket?: string };
  const { data, isError } = useQuery({
    queryKey: ['validation', documentId, ticket],
    queryFn: () => callApi(getValidation, { query: { documentId: documentId ?? '', ticket: ticket ?? '' } }),
    enabled: documentId !== undefined && ticket !== undefined,
    retry: false,
  });
  if (!documentId || !ticket) return <Navigate to="/validateLogin" replace />;
  if (isError) return <Navigate to="/validateLogin" replace state={{ message: 'verify.failed' }} />;
  return (
    <Page title={t('verify.resultTitle')}>
      {data ? <Result data={data} documentId={documentId} ticket={ticket} /> : <p role="status">{t('signer.wait')}</p>}
    </Page>
  );
}

function Result({ data, documentId, ticket }: { data: Validation; documentId: string; ticket: string }) {
  const { t } = useTranslation();
  const file = data.signedDocumentWithEvidencePage;
  const judged = data.signers.some((signer) => signer.indication !== null);
  const download = () =>
    saveFile(callAddress(downloadValidated, {}, { documentId, ticket }), data.nameDocument.replace(/(\.pdf)?$/i, '-assinado.pdf'));
  return (
    <>
      <section className="card">
        <h2>{data.nameDocument}</h2>
        <dl className="facts">
          <dt>{t('home.column.status')}</dt>
          <dd>
            <ProcessBadge status={data.status} />
          </dd>
          <dt>{t('verify.process')}</dt>
          <dd>{data.processTitle}</dd>
          <dt>{t('verify.level')}</dt>
          <dd>{t('signer.level')}</dd>
          <dt>{t('verify.originalHash')}</dt>
          <dd className="hash">{data.originalHash}</dd>
          {data.signedHash && (
            <>
              <dt>{t('verify.signedHash')}</dt>
              <dd className="hash">{data.signedHash}</dd>
            </>
          )}
        </dl>
        {data.signedHash && (
          <div className="actions">
            <button type="button" className="primary" onClick={() => void download()}>
              {t('verify.download')}
            </button>
          </div>
        )}
        {file === null && data.signedHash && <p className="hint">{t('verify.large')}</p>}
      </section>
      <section className="card">
        <h2>{t('home.signers')}</h2>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{t('signer.name')}</th>
              <th scope="col">CPF</th>
              <th scope="col">{t('login.email')}</th>
              <th scope="col">{t('home.column.status')}</th>
              {judged && <th scope="col">{t('verify.verdict')}</th>}
            </tr>
          </thead>
          <tbody>
            {data.signers.map((signer, index) => (
              <tr key={`${signer.email}-${index}`}>
                <td data-label={t('signer.name')}>{signer.name}</td>
                <td data-label="CPF">{signer.legalIdentifier ?? '—'}</td>
                <td data-label={t('login.email')}>{signer.email}</td>
                <td data-label={t('home.column.status')}>
                  <SignerBadge status={signer.status} />
                  {signer.signedAt && <span className="hint"> {formatDateTime(signer.signedAt)}</span>}
                </td>
                {judged && (
                  <td data-label={t('verify.verdict')}>{signer.indication ? t(`verify.indication.${signer.indication}`) : '—'}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {data.seals.map((seal) => (
          <p key={`${seal.kind}-${seal.name}`}>
            {t(`verify.${seal.kind}`, { name: seal.name, time: formatDateTime(seal.time) })}:{' '}
            <strong>{t(`verify.indication.${seal.indication}`)}</strong>
          </p>
        ))}
      </section>
      <section className="card">
        <h2>{t('verify.log')}</h2>
        <ul className="list">
          {data.logsProcess.map((entry) => (
            <li key={`${entry.timestamp}-${entry.message}`}>
              <span>{entry.message}</span>
              <span className="hint">{entry.timestamp}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
