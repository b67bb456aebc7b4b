import { downloadValidated, downloadValidatedPage, getValidation, type Reply } from '@lavra/api';
import { coveredFileName, signedFileName } from '@lavra/domain';
import { type ReactNode, useMemo, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { formatDateTime } from '../../lib/format.ts';
import { callAddress, saveFile } from '../../lib/api-client.ts';
import { useCall } from '../../lib/calls.ts';
import { FilesRemoved } from '../../shell/files-removed.tsx';
import { Page } from '../../shell/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { type Judged, judgedInValidation } from './judged.ts';
import { ChooseButton, useLocalVerification } from './local-verification.tsx';
import { NotChecked } from './not-checked.tsx';
import { PrintReport, ReportHead, useUnfoldedInPrint } from './report-print.tsx';
import { askedAnew, SaveFailure } from './save-failure.tsx';
import { SignedDocument } from './signed-document.tsx';
import { SignedPeople } from './signed-people.tsx';
import { TechnicalFacts } from './technical-facts.tsx';
import { VerdictBanner } from './verdict-banner.tsx';
import { WhatChanged } from './what-changed.tsx';
import { verdictOfValidation } from './whole-verdict.ts';
import { YourCopy } from './your-copy.tsx';

type Validation = Reply<typeof getValidation>;

/** Needs the document that was asked for in the navigation state; without it back to the form (section 2). */
export function Component() {
  const { t } = useTranslation();
  const { documentId, ticket } = (useLocation().state ?? {}) as { documentId?: string; ticket?: string };
  const asked = { query: { documentId: documentId ?? '', ticket: ticket ?? '' } };
  const enabled = documentId !== undefined && ticket !== undefined;
  // One answer for one ticket: who reads it has it to the end, however the network comes and goes.
  const { data, dataUpdatedAt, error } = useCall(getValidation, asked, { enabled, retry: false, freshMs: Infinity });
  if (!documentId || !ticket) return <Navigate to="/validateLogin" replace />;
  const isError = error !== null && data === undefined;
  const anew = isError && askedAnew(error, documentId);
  if (anew) return <Navigate to={anew.to} replace state={{ message: anew.message }} />;
  if (isError) return <Navigate to="/validateLogin" replace state={{ message: 'verify.failed' }} />;
  return (
    <Page title={t('verify.resultTitle')}>
      {data ? <Result data={data} at={new Date(dataUpdatedAt)} documentId={documentId} ticket={ticket} /> : <Loading rows={5} />}
    </Page>
  );
}

interface Verified {
  data: Validation;
  documentId: string;
  ticket: string;
}

function Result({ data, at, documentId, ticket }: Verified & { at: Date }) {
  const { t } = useTranslation();
  // An object of its own each time: the same page may be asked for again.
  const [target, setTarget] = useState<{ page: number } | null>(null);
  const marks = useMemo(() => judgedInValidation(data), [data]);
  const local = useLocalVerification();
  useUnfoldedInPrint();
  const { signaturePage, filesRemovedDate, signedHash } = data;
  const isRemoved = filesRemovedDate !== null;
  const isThere = signedHash !== null && !isRemoved;
  /** The document as it was signed: the first bytes of the signed file. */
  const saveAs = ({ end, name }: Judged) =>
    saveFile(callAddress(downloadValidated, {}, { documentId, ticket }), coveredFileName(data.nameDocument, name), end ?? undefined);
  const hashes = [
    { label: t('verify.originalHash'), hash: data.originalHash },
    { label: t('verify.signedHash'), hash: signedHash },
    { label: t('verify.pageHash'), hash: signaturePage?.hash },
  ];
  const others = data.signers.filter(({ status }) => status !== 'SIGNED');
  return (
    <div className="result">
      <ReportHead at={at} again={`${location.origin}/validateLogin?docId=${documentId}`} isRemoved={isRemoved} />
      <VerdictBanner verdict={verdictOfValidation(data, marks)} of={data.nameDocument}>
        <p className="whole-process">{t('verify.ofProcess', { title: data.processTitle })}</p>
        <FilesRemoved date={filesRemovedDate} />
        {isRemoved && signedHash && <p>{t('verify.keptCopy')}</p>}
        {!signedHash && <p>{t(data.status === 'IN_PROGRESS' ? 'verify.notYet' : 'verify.never')}</p>}
        <Files data={data} documentId={documentId} ticket={ticket} isThere={isThere}>
          {signedHash && <ChooseButton local={local} label={t('verify.copyChoose')} />}
        </Files>
      </VerdictBanner>
      {signedHash && <YourCopy local={local} signedHash={signedHash} isRemoved={isRemoved} />}
      <SignedPeople
        marks={marks}
        legalName={t(data.type === 'DIGITAL_SIGNATURE' ? 'word.levelDigital' : 'word.level')}
        others={others}
        hasEnded={data.status !== 'IN_PROGRESS'}
        isRemoved={isRemoved}
        onSave={isThere ? saveAs : undefined}
      />
      <WhatChanged marks={marks} onPage={isThere ? (page) => setTarget({ page }) : undefined} />
      {!isRemoved && <NotChecked marks={marks} isOwnFile={false} hasCopies={signedHash !== null} />}
      <TechnicalFacts marks={marks} hashes={hashes} isRemoved={isRemoved} />
      <EventLog entries={data.logsProcess} />
      {isThere && (
        <SignedDocument
          documentId={documentId}
          ticket={ticket}
          name={data.nameDocument}
          base64={data.signedDocumentWithEvidencePage}
          target={target}
        />
      )}
    </div>
  );
}

/** What can be taken along. */
function Files({ data, documentId, ticket, isThere, children }: Verified & { isThere: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<unknown>(null);
  const { signaturePage, nameDocument } = data;
  async function download(call: typeof downloadValidated | typeof downloadValidatedPage, name: string): Promise<void> {
    setFailure(null);
    await saveFile(callAddress(call, {}, { documentId, ticket }), name).catch(setFailure);
  }
  return (
    <>
      <div className="actions">
        {isThere && (
          <button type="button" className="primary" onClick={() => void download(downloadValidated, signedFileName(nameDocument))}>
            {t('verify.download')}
          </button>
        )}
        {isThere && signaturePage && (
          <button type="button" onClick={() => void download(downloadValidatedPage, signaturePage.name)}>
            {t('verify.downloadPage')}
          </button>
        )}
        {children}
        <PrintReport />
      </div>
      <SaveFailure failure={failure} />
    </>
  );
}

function EventLog({ entries }: { entries: Validation['logsProcess'] }) {
  const { t } = useTranslation();
  return (
    <details className="card technical">
      <summary>
        <h2>{t('verify.log')}</h2>
      </summary>
      <ol className="list">
        {entries.map((entry, index) => (
          // Two events of one moment may carry the same words.
          <li key={`${entry.at}-${index}`}>
            <span>{entry.message}</span>
            <span className="hint">{formatDateTime(entry.at)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
