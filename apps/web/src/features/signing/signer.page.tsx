import { downloadOriginal, getRequisitionInformation, getSignatureStatus, registerOpened, type Reply, viewDocument } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { authorizationHeaders, callAddress, callApi, saveFile } from '../../lib/api-client.ts';
import { useToken } from '../../lib/session.ts';
import { PdfViewer } from '../../pdf/pdf-viewer.tsx';
import { codeText, errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { SignerBadge } from '../../shell/status-badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';

const ElectronicDialog = lazy(() => import('./electronic-dialog.tsx').then((module) => ({ default: module.ElectronicDialog })));

type Information = Reply<typeof getRequisitionInformation>;

export function Component() {
  const { t } = useTranslation();
  const id = useParams()['id'] ?? '';
  const user = useSearchParams()[0].get('user') ?? undefined;
  const information = useQuery({ queryKey: ['requisition', id, user], queryFn: () => callApi(getRequisitionInformation, { params: { processId: id }, query: { user } }), retry: 1 });
  useEffect(() => {
    if (information.data?.me) void callApi(registerOpened, { params: { signerId: information.data.me.id } }).catch(() => {});
  }, [information.data?.me]);
  if (information.isPending) return <Page title={t('signer.title')}><p role="status">{t('signer.wait')}</p></Page>;
  if (information.isError) return <Page title={t('signer.title')} narrow><Notice kind="error">{errorText(information.error, t)}</Notice></Page>;
  return <Page title={information.data.title}><SignerView id={id} user={user} information={information.data} /></Page>;
}

type Act = 'none' | 'reject' | 'sign' | 'signing';

function SignerView({ id, user, information }: { id: string; user: string | undefined; information: Information }) {
  const { t } = useTranslation();
  const [act, setAct] = useState<Act>('none');
  const [ended, setEnded] = useState<'signed' | 'finalized' | 'rejected' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { me } = information;
  const status = useQuery({
    queryKey: ['signature-status', id, user],
    queryFn: () => callApi(getSignatureStatus, { params: { processId: id, signerId: user ?? '' } }),
    enabled: user !== undefined,
    refetchInterval: (query) => (act === 'signing' || query.state.data?.status === 'SIGNING' || (me?.reason === null && !me.mayAct) ? limits.signingStatusPollMs : false),
  });
  const current = status.data?.status;
  useEffect(() => {
    if (act !== 'signing') return;
    if (current === 'SIGNED') {
      setAct('none');
      setEnded(status.data?.finalized ? 'finalized' : 'signed');
    } else if (current !== undefined && current !== 'SIGNING') {
      setAct('none');
      setFailure(codeText(status.data?.reason ?? 'server.unexpected', t));
    }
  }, [act, current, status.data, t]);
  if (ended) return <EndedNotice ended={ended} id={id} user={user} />;
  if (user !== undefined && current === undefined && !status.isError) return <p role="status">{t('signer.wait')}</p>;
  const mayAct = me?.mayAct === true && (current === 'SENT' || current === 'ERROR_WHILE_SIGNING');
  return (
    <>
      <p className="hint">{t('signer.askedBy', { name: information.creatorName })} · {t('signer.level')}</p>
      <StateNotice status={current} reason={status.data?.reason ?? null} information={information} />
      {failure && <Notice kind="error">{t('signer.failed')} {failure}</Notice>}
      <SignersTable information={information} />
      {information.documents.length > 0 && <Documents information={information} user={user} />}
      {mayAct && me && (
        <div className="bottom-bar">
          <button type="button" className="danger" onClick={() => setAct('reject')}>{t('signer.reject')}</button>
          <button type="button" className="primary" onClick={() => setAct('sign')}>{t('signer.sign')}</button>
        </div>
      )}
      {act === 'reject' && me && <RejectDialog processId={id} signerId={me.id} onClose={() => setAct('none')} onDone={() => setEnded('rejected')} />}
      {act === 'sign' && me && (
        <Suspense fallback={null}>
          <ElectronicDialog
            processId={id}
            information={{ ...information, me }}
            onClose={() => setAct('none')}
            onSent={() => {
              setFailure(null);
              setAct('signing');
              void status.refetch();
            }}
          />
        </Suspense>
      )}
      {(act === 'signing' || current === 'SIGNING') && (
        <Dialog title={t('signer.signing')} closeLabel={t('dialog.close')} busy onClose={() => {}}>
          <div className="busy" role="status"><span className="spinner" /><p>{t('signer.signingText')}</p></div>
        </Dialog>
      )}
    </>
  );
}

/** Why the page only shows and does not sign, in words. */
function StateNotice({ status, reason, information }: { status: string | undefined; reason: string | null; information: Information }) {
  const { t } = useTranslation();
  const { me } = information;
  if (!me) return <Notice>{t('signer.visitor')}</Notice>;
  if (status === 'SIGNED') return <Notice kind="success">{t('signer.alreadySigned')}</Notice>;
  if (me.turnOf) return <Notice>{t('signer.turnOf', { name: me.turnOf })}</Notice>;
  if (status === 'EXPIRED' || status === 'CANCELED' || status === 'REJECTED') return <Notice kind="warning">{codeText(reason ?? 'process.notInProgress', t)}</Notice>;
  if (status === 'ERROR_WHILE_SIGNING') return <Notice kind="error">{t('signer.failed')} {codeText(reason ?? 'server.unexpected', t)}</Notice>;
  return null;
}

function SignersTable({ information }: { information: Information }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-label={t('home.signers')}>
      <table className="cards">
        <thead><tr><th scope="col">{t('signer.order')}</th><th scope="col">{t('signer.name')}</th><th scope="col">{t('login.email')}</th><th scope="col">{t('signer.phone')}</th><th scope="col">{t('home.column.status')}</th></tr></thead>
        <tbody>
          {information.signers.map((signer, index) => (
            // Names may repeat; the order and the place in the list do not.
            <tr key={`${signer.order}-${index}`}>
              <td data-label={t('signer.order')}>{signer.order + 1}</td>
              <td data-label={t('signer.name')}>{signer.name} {signer.isCurrent && <span className="badge">{t('signer.you')}</span>}</td>
              <td data-label={t('login.email')}>{signer.email}</td>
              <td data-label={t('signer.phone')}>{signer.phoneNumber ?? '—'}</td>
              <td data-label={t('home.column.status')}><SignerBadge status={signer.status} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Documents({ information, user }: { information: Information; user: string | undefined }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const document = information.documents[chosen] ?? information.documents[0];
  if (!document) return null;
  const address = callAddress(viewDocument, { documentId: document.id }, { user });
  const download = () => saveFile(callAddress(downloadOriginal, { id: document.id }, { user }), document.name).catch(setFailure);
  return (
    <section aria-label={t('home.documents')}>
      <div className="actions">
        <label style={{ flex: 1, minWidth: 200 }}>
          <span className="legend">{t('signer.document')}</span>
          <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {information.documents.map((one, index) => <option key={one.id} value={index}>{one.name}</option>)}
          </select>
        </label>
        <button type="button" onClick={() => void download()} style={{ alignSelf: 'end' }}>{t('signer.download')}</button>
      </div>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      {document.priorSignatures > 0 && <Notice>{t('signer.prior', { count: document.priorSignatures })}</Notice>}
      <div style={{ marginTop: 12 }}>
        <PdfViewer source={{ url: address, headers: authorizationHeaders() }} sourceKey={address} toolbar="reduced" title={document.name} />
      </div>
    </section>
  );
}

/** A calm end: with a session back to the list, without one a page that says what comes next. */
function EndedNotice({ ended, id, user }: { ended: 'signed' | 'finalized' | 'rejected'; id: string; user: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const signedIn = useToken() !== null;
  useEffect(() => {
    if (!signedIn) return undefined;
    const timer = setTimeout(() => void navigate('/signature'), limits.successPopupMs);
    return () => clearTimeout(timer);
  }, [signedIn, navigate]);
  return (
    <>
      <Notice kind={ended === 'rejected' ? 'info' : 'success'}>{t(`signer.ended.${ended}`)}</Notice>
      {ended !== 'rejected' && <p>{t('signer.ended.next')}</p>}
      {ended === 'finalized' && <Link className="button" to={`/download/${id}?user=${user}`}>{t('home.download')}</Link>}
    </>
  );
}
