import { getRequisitionInformation, registerOpened } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { callApi } from '../../lib/api-client.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { forgetAuthorization, readAuthorization } from './digital/authorization.ts';
import { EndedNotice } from './ended-notice.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { SignerDocuments } from './signer-documents.tsx';
import type { SignerInformation } from './signer-information.ts';
import { SignersTable } from './signers-table.tsx';
import { signingText } from './signing-text.ts';
import { StateNotice } from './state-notice.tsx';
import { useSignatureStatus } from './use-signature-status.ts';
import { Failed, Loading } from '../../ui/states.tsx';

const DigitalDialog = lazy(() => import('./digital/digital-dialog.tsx').then((module) => ({ default: module.DigitalDialog })));
const ElectronicDialog = lazy(() => import('./electronic-dialog.tsx').then((module) => ({ default: module.ElectronicDialog })));

/** How often a page that waits for another person's signature looks again. */
const TURN_POLL_MS = 15_000;

export function Component() {
  const { t } = useTranslation();
  const id = useParams()['id'] ?? '';
  const user = useSearchParams()[0].get('user') ?? undefined;
  const information = useQuery({
    queryKey: ['requisition', id, user],
    queryFn: ({ signal }) => callApi(getRequisitionInformation, { params: { processId: id }, query: { user }, signal }),
    retry: 1,
    refetchInterval: (query) => pollAfter(query.state.data),
  });
  const me = information.data?.me?.id;
  useEffect(() => {
    // An event of the evidence, not a condition of reading: a failure does not stop the page.
    if (me) void callApi(registerOpened, { params: { signerId: me } }).catch(() => {});
  }, [me]);
  if (information.isPending)
    return (
      <Page key="wait" title={t('signer.title')}>
        <Loading rows={6} />
      </Page>
    );
  if (information.isError && !information.data)
    return (
      <Page key="error" title={t('signer.title')} frame="form">
        <Failed text={errorText(information.error, t)} onRetry={retryOf(information.error, information.refetch)} />
      </Page>
    );
  return (
    <Page key="signer" title={information.data.title}>
      <SignerView id={id} user={user} information={information.data} onChanged={() => void information.refetch()} />
    </Page>
  );
}

/** Documents under preparation are ready in moments; another person's turn may take days. */
function pollAfter(information: SignerInformation | undefined): number | false {
  const me = information?.me;
  if (!me || me.mayAct || information.status !== 'IN_PROGRESS') return false;
  if (me.reason === null) return limits.signingStatusPollMs;
  return me.reason === 'signer.notYourTurn' ? TURN_POLL_MS : false;
}

interface SignerViewProps {
  id: string;
  user: string | undefined;
  information: SignerInformation;
  onChanged(): void;
}

function SignerView({ id, user, information, onChanged }: SignerViewProps) {
  const { t } = useTranslation();
  const [act, setAct] = useState<'none' | 'reject' | 'sign'>('none');
  const [ended, setEnded] = useState<'signed' | 'finalized' | 'rejected' | null>(null);
  const onSigningEnded = useCallback(
    (status: string, finalized: boolean) => {
      if (user) forgetAuthorization({ processId: id, signerId: user });
      if (status === 'SIGNED') setEnded(finalized ? 'finalized' : 'signed');
      else onChanged();
      window.scrollTo(0, 0);
    },
    [id, user, onChanged],
  );
  const { status, pending, mark, refresh } = useSignatureStatus({ id, user, mayAct: information.me?.mayAct === true, onSigningEnded });
  const { me } = information;
  const digital = information.type === 'DIGITAL_SIGNATURE';
  const current = status?.status;
  const waits = digital && me !== null && current === 'AUTHORIZING' && readAuthorization({ processId: id, signerId: me.id }) !== null;
  useEffect(() => {
    // After a reload: the provider is still being waited for.
    if (waits) setAct('sign');
  }, [waits]);
  if (ended) return <EndedNotice ended={ended} id={id} user={user} />;
  if (pending) return <p role="status">{t('signer.wait')}</p>;
  const mayAct = me?.mayAct === true && (current === 'SENT' || current === 'ERROR_WHILE_SIGNING' || current === 'AUTHORIZING');
  const close = () => setAct('none');
  return (
    <>
      <p className="hint under-title">
        {t('signer.askedBy', { name: information.creatorName })} · {t(digital ? 'signer.levelDigital' : 'signer.level')}
      </p>
      <StateNotice status={status} information={information} id={id} user={user} />
      {information.documentsWithdrawn && me && (
        <Notice>{t('signer.documentsWithdrawn', { days: limits.endedLinkDays, name: information.creatorName })}</Notice>
      )}
      <SignersTable information={information} />
      {information.documents.length > 0 && <SignerDocuments information={information} user={user} />}
      {mayAct && (
        <div className="bottom-bar">
          <button type="button" className="danger" onClick={() => setAct('reject')}>
            {t('signer.reject')}
          </button>
          <button type="button" className="primary" onClick={() => setAct('sign')}>
            {t('signer.sign')}
          </button>
        </div>
      )}
      {act === 'reject' && me && <RejectDialog processId={id} signerId={me.id} onClose={close} onDone={() => setEnded('rejected')} />}
      {act === 'sign' && me && (
        <Suspense fallback={<BusyDialog title={t('signer.wait')} />}>
          {digital ? (
            <DigitalDialog
              processId={id}
              information={{ ...information, me }}
              status={status}
              onMark={mark}
              onRefresh={refresh}
              onChanged={onChanged}
              onClose={close}
            />
          ) : (
            <ElectronicDialog
              processId={id}
              information={{ ...information, me }}
              onClose={close}
              onSent={() => {
                close();
                mark('SIGNING');
              }}
            />
          )}
        </Suspense>
      )}
      {current === 'SIGNING' && act !== 'sign' && <BusyDialog title={t('signer.signing')} text={signingText(status, t)} />}
    </>
  );
}

function BusyDialog({ title, text = '' }: { title: string; text?: string }) {
  return (
    <Dialog title={title} closeLabel="" busy onClose={() => {}}>
      <div className="busy" role="status">
        <span className="spinner" />
        <p>{text}</p>
      </div>
    </Dialog>
  );
}
