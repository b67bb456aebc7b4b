import { downloadValidated, downloadValidatedPage, getValidation, type Reply } from '@lavra/api';
import { coveredFileName, signedFileName } from '@lavra/domain';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { callAddress, saveFile } from '../../lib/api-client.ts';
import { useCall } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { errorText } from '../../shell/error-text.ts';
import { FilesRemoved } from '../../shell/files-removed.tsx';
import { Notice, Page } from '../../shell/page.tsx';
import { ProcessBadge, SignerBadge } from '../../shell/status-badge.tsx';
import { Afterwards } from './afterwards.tsx';
import { CopyableHash } from './copyable-hash.tsx';
import { SignedDocument } from './signed-document.tsx';
import { Verdict } from './verdict.tsx';
import { Loading } from '../../ui/states.tsx';

type Validation = Reply<typeof getValidation>;

/** Needs the document that was asked for in the navigation state; without it back to the form (section 2). */
export function Component() {
  const { t } = useTranslation();
  const { documentId, ticket } = (useLocation().state ?? {}) as { documentId?: string; ticket?: string };
  const asked = { query: { documentId: documentId ?? '', ticket: ticket ?? '' } };
  const { data, isError } = useCall(getValidation, asked, { enabled: documentId !== undefined && ticket !== undefined, retry: false });
  if (!documentId || !ticket) return <Navigate to="/validateLogin" replace />;
  if (isError) return <Navigate to="/validateLogin" replace state={{ message: 'verify.failed' }} />;
  return (
    <Page title={t('verify.resultTitle')}>
      {data ? <Result data={data} documentId={documentId} ticket={ticket} /> : <Loading rows={5} />}
    </Page>
  );
}

interface Verified {
  data: Validation;
  documentId: string;
  ticket: string;
}

function Result({ data, documentId, ticket }: Verified) {
  const { t } = useTranslation();
  // An object of its own each time: the same page may be asked for again.
  const [target, setTarget] = useState<{ page: number } | null>(null);
  return (
    <>
      <Summary data={data} documentId={documentId} ticket={ticket} />
      <Signers data={data} documentId={documentId} ticket={ticket} onPage={data.signedHash ? (page) => setTarget({ page }) : undefined} />
      <section className="card">
        <h2>{t('verify.log')}</h2>
        <ol className="list">
          {data.logsProcess.map((entry, index) => (
            // Two events of one moment may carry the same words.
            <li key={`${entry.timestamp}-${index}`}>
              <span>{entry.message}</span>
              <span className="hint">{entry.timestamp}</span>
            </li>
          ))}
        </ol>
      </section>
      {data.signedHash && data.filesRemovedDate === null && (
        <SignedDocument
          documentId={documentId}
          ticket={ticket}
          name={data.nameDocument}
          base64={data.signedDocumentWithEvidencePage}
          target={target}
        />
      )}
    </>
  );
}

function CertificateFacts({ facts }: { facts: NonNullable<Validation['signers'][number]['certificate']> }) {
  const { t } = useTranslation();
  return (
    <ul className="plain hint">
      <li>{t('verify.certificate', { type: facts.type ?? '', issuer: facts.issuer })}</li>
      <li>{t('verify.serial', { serial: facts.serial })}</li>
      {facts.policy && <li>{t('verify.policy', { policy: facts.policy })}</li>}
    </ul>
  );
}

function Summary({ data, documentId, ticket }: Verified) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<unknown>(null);
  const hashes = [
    { label: t('verify.originalHash'), hash: data.originalHash },
    { label: t('verify.signedHash'), hash: data.signedHash },
    { label: t('verify.pageHash'), hash: data.signaturePage?.hash },
  ];
  async function download(call: typeof downloadValidated | typeof downloadValidatedPage, name: string): Promise<void> {
    setFailure(null);
    await saveFile(callAddress(call, {}, { documentId, ticket }), name).catch(setFailure);
  }
  const { signaturePage } = data;
  const isThere = data.signedHash !== null && data.filesRemovedDate === null;
  return (
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
        <dd>{t(data.type === 'DIGITAL_SIGNATURE' ? 'signer.levelDigital' : 'signer.level')}</dd>
        {hashes.map(
          ({ label, hash }) =>
            hash && (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>
                  <CopyableHash hash={hash} label={label} />
                </dd>
              </Fragment>
            ),
        )}
      </dl>
      <FilesRemoved date={data.filesRemovedDate} />
      {data.filesRemovedDate !== null && data.signedHash && <p className="hint">{t('verify.keptCopy')}</p>}
      {isThere && (
        <div className="actions">
          <button type="button" className="primary" onClick={() => void download(downloadValidated, signedFileName(data.nameDocument))}>
            {t('verify.download')}
          </button>
          {signaturePage && (
            <button type="button" onClick={() => void download(downloadValidatedPage, signaturePage.name)}>
              {t('verify.downloadPage')}
            </button>
          )}
        </div>
      )}
      {!data.signedHash && <p className="hint">{t(data.status === 'IN_PROGRESS' ? 'verify.notYet' : 'verify.never')}</p>}
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
    </section>
  );
}

function Signers({ data, documentId, ticket, onPage }: Verified & { onPage: ((page: number) => void) | undefined }) {
  const { t } = useTranslation();
  /** The document as it was signed: the first bytes of the signed file. */
  const saver = (name: string, end: number | null) => {
    if (end === null || !data.signedHash) return undefined;
    const address = callAddress(downloadValidated, {}, { documentId, ticket });
    return () => saveFile(address, coveredFileName(data.nameDocument, name), end);
  };
  const judged = data.signers.some((signer) => signer.indication !== null);
  return (
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
              <td className="card-heading">{signer.name}</td>
              <td data-label="CPF">{signer.legalIdentifier ?? '—'}</td>
              <td className="email" data-label={t('login.email')}>
                {signer.email}
              </td>
              <td className="card-state">
                <span>
                  <SignerBadge status={signer.status} />
                  {signer.signedAt && <span className="hint moment"> {formatDateTime(signer.signedAt)}</span>}
                </span>
              </td>
              {judged && (
                <td className="wide" data-label={t('verify.verdict')}>
                  <div>
                    <Verdict indication={signer.indication} reasons={signer.reasons} provenTime={signer.provenTime} />
                    {signer.certificate && <CertificateFacts facts={signer.certificate} />}
                    <Afterwards {...signer} onSave={saver(signer.name, signer.end)} onPage={onPage} />
                  </div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Seals seals={data.seals} saver={saver} onPage={onPage} />
      {judged && <p className="hint">{t('verify.engineNote')}</p>}
    </section>
  );
}

interface SealsProps {
  seals: Validation['seals'];
  saver(name: string, end: number | null): (() => Promise<void>) | undefined;
  onPage: ((page: number) => void) | undefined;
}

/** The platform's seal, timestamps, and signatures that the document came with. */
function Seals({ seals, saver, onPage }: SealsProps) {
  const { t } = useTranslation();
  if (seals.length === 0) return null;
  return (
    <dl className="facts">
      {seals.map((seal, index) => (
        <Fragment key={`${seal.kind}-${index}`}>
          <dt>{t(`verify.${seal.kind}`, { name: seal.name, time: formatDateTime(seal.time) })}</dt>
          <dd>
            <Verdict indication={seal.indication} reasons={seal.reasons} provenTime={null} />
            <Afterwards
              {...seal}
              coversWholeFile={seal.coversWholeFile && seal.kind !== 'timestamp'}
              onSave={seal.kind === 'other' ? saver(seal.name, seal.end) : undefined}
              onPage={onPage}
            />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
