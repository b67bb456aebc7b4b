import { limits } from '@lavra/domain';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { FilesRemoved } from '../../shell/files-removed.tsx';
import { Notice } from '../../shell/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { forgetAuthorization, readAuthorization } from './digital/authorization.ts';
import { EndedNotice } from './ended-notice.tsx';
import { produceEvidence } from './produce-evidence.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { SignDialog } from './sign-dialog.tsx';
import { SignerDocuments } from './signer-documents.tsx';
import type { SignerInformation } from './signer-information.ts';
import { SigningPeople } from './signing-people.tsx';
import { signingText } from './signing-text.ts';
import { BusyDialog } from './busy-dialog.tsx';
import { StateNotice } from './state-notice.tsx';
import { type SignatureStatus, useSignatureStatus } from './use-signature-status.ts';

/** As high as documents are: the footer does not come into sight meanwhile and leave it again. */
export const WAITING_ROWS = 12;

export interface SignerViewProps {
  id: string;
  user: string | undefined;
  information: SignerInformation;
  onChanged(): void;
}

/** The page of a signing link: the process, its documents and, for whose turn it is, the act. */
export function SignerView({ id, user, information, onChanged }: SignerViewProps) {
  const { t } = useTranslation();
  const { me } = information;
  const [picture, setPicture] = useState<string | null>();
  const { act, begin, close, ended, end, status, pending, isMissing, mark, refresh } = useSignerAct({ id, user, information, onChanged });
  if (ended) return <EndedNotice ended={ended} id={id} user={user} information={information} />;
  if (pending)
    return (
      <>
        <p role="status">{t('word.wait')}</p>
        <Loading rows={WAITING_ROWS} />
      </>
    );
  const current = status?.status;
  const mayAct = me?.can.sign === true && (current === 'SENT' || current === 'ERROR_WHILE_SIGNING' || current === 'AUTHORIZING');
  return (
    <>
      <SigningPeople information={information} />
      {isMissing ? (
        <Failed text={t('signer.statusMissing')} onRetry={() => void refresh()} />
      ) : (
        <StateNotice status={status} information={information} id={id} user={user} />
      )}
      {information.documentsWithdrawn && me && (
        <Notice>{t('signer.documentsWithdrawn', { days: limits.endedLinkDays, name: information.creatorName })}</Notice>
      )}
      {me && <FilesRemoved date={information.filesRemovedDate} />}
      {information.documents.length > 0 && <SignerDocuments information={information} user={user} picture={picture} />}
      {mayAct && (
        <div className="bottom-bar">
          <button type="button" className="danger" onClick={() => begin('reject')}>
            {t('signer.reject')}
          </button>
          <button type="button" className="primary" onClick={() => begin('sign')}>
            {t('signer.sign')}
          </button>
        </div>
      )}
      {act === 'reject' && me && (
        <RejectDialog processId={id} signerId={me.id} onRefresh={refresh} onClose={close} onDone={() => end('rejected')} />
      )}
      {act === 'sign' && me && (
        <SignDialog
          processId={id}
          information={{ ...information, me }}
          status={status}
          onMark={mark}
          onPicture={setPicture}
          onRefresh={refresh}
          onChanged={onChanged}
          onClose={close}
        />
      )}
      {current === 'SIGNING' && act !== 'sign' && <BusyDialog title={t('signer.signing')} text={signingText(status, t)} />}
    </>
  );
}

type Ended = 'signed' | 'finalized' | 'rejected';

/** What this person is about to do, how far it is at the server, and how it ended. */
function useSignerAct({ id, user, information, onChanged }: SignerViewProps) {
  const [act, setAct] = useState<'none' | 'reject' | 'sign'>('none');
  const [ended, setEnded] = useState<Ended | null>(null);
  const { me, type, status: processStatus } = information;
  const onSigningEnded = useCallback(
    ({ status, reason, finalized }: SignatureStatus) => {
      if (user) forgetAuthorization({ processId: id, signerId: user });
      if (status === 'SIGNED' && user && type === 'ELETRONIC_SIGNATURE') void produceEvidence(id, user, finalized);
      if (status === 'SIGNED') setEnded(finalized ? 'finalized' : 'signed');
      else if (reason === 'signer.alreadyRejected') setEnded('rejected');
      else onChanged();
      window.scrollTo(0, 0);
    },
    [id, user, type, onChanged],
  );
  const server = useSignatureStatus({ id, user, canSign: me?.can.sign === true, processStatus, onSigningEnded });
  const isAuthorizing = type === 'DIGITAL_SIGNATURE' && server.status?.status === 'AUTHORIZING';
  const waits = isAuthorizing && me !== null && readAuthorization({ processId: id, signerId: me.id }) !== null;
  useEffect(() => {
    // After a reload: the provider is still being waited for.
    if (waits) setAct('sign');
  }, [waits]);
  return { ...server, act, begin: setAct, close: () => setAct('none'), ended, end: setEnded };
}
