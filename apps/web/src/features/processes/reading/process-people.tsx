import { getProcessStory, getSubDataProcess, type ProcessListItem, type Reply, tellSignerAgain } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../../lib/i18n.ts';
import { useAct } from '../../../lib/calls.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { errorText } from '../../../shell/error-text.ts';
import { Notice } from '../../../shell/page.tsx';
import { SignsFor } from '../../../shell/signs-for.tsx';
import { SignerBadge } from '../../../shell/status-badge.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { CorrectSigner } from './correct-signer.tsx';
import { useSigningLink } from './use-signing-link.ts';

type Signer = Reply<typeof getSubDataProcess>['signers'][number];

/** The people of a process in their order: how each stands, and what the sender can do for each. */
export function ProcessPeople({ id, status, signers }: { id: string; status: ProcessListItem['status']; signers: readonly Signer[] }) {
  const { t } = useTranslation();
  const link = useSigningLink(id);
  return (
    <>
      {link.failed && <Notice kind="error">{t('home.linkFailed')}</Notice>}
      <ol className="people">
        {signers.map((signer) => (
          // Who is corrected stays the same row: what was open or held in it stays so. Whose id is withheld is not corrected.
          <li key={signer.id ?? `${signer.order}-${signer.email}-${signer.name}`}>
            <Person id={id} signer={signer} status={status} link={link} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface PersonProps {
  id: string;
  signer: Signer;
  status: ProcessListItem['status'];
  link: ReturnType<typeof useSigningLink>;
}

function Person({ id, signer, status, link }: PersonProps) {
  const { t } = useTranslation();
  const copied = link.copiedFor(signer);
  return (
    <>
      <div className="person-head">
        <span className="person-order" aria-hidden="true">
          {signer.order + 1}
        </span>
        <div className="person-name">
          <strong>{signer.name}</strong>
          <SignsFor cnpj={signer.companyIdentifier} />
          <span className="muted">{signer.email}</span>
          <StandingOf signer={signer} process={status} />
        </div>
        <SignerBadge status={signer.status} hasEnded={status !== 'IN_PROGRESS'} />
      </div>
      {signer.rejectCause && <p className="person-reason">{t('home.reason', { cause: signer.rejectCause })}</p>}
      {signer.signedAs && <p className="person-reason">{t('home.signedAs', { name: signer.signedAs })}</p>}
      <PersonActs id={id} signer={signer} link={link} />
      {copied !== null && (
        <Notice kind="success">
          {copied.link === null ? (
            t('home.copiedTold', { email: signer.email })
          ) : (
            <>
              {t('home.copyFallback')}
              <code className="copied-link">{copied.link}</code>
            </>
          )}
        </Notice>
      )}
    </>
  );
}

/** When they signed, refused, or opened the documents first. */
function StandingOf({ signer, process }: { signer: Signer; process: ProcessListItem['status'] }) {
  const { t } = useTranslation();
  const { status, finalizedDate, openedDate, can, dueDate } = signer;
  if (status === 'SIGNED') return <span className="muted">{t('home.signedAt', { at: formatDateTime(finalizedDate) })}</span>;
  if (status === 'REJECTED') return <span className="muted">{t('home.rejectedAt', { at: formatDateTime(finalizedDate) })}</span>;
  const opened = openedDate === null ? null : t('home.openedAt', { at: formatDateTime(openedDate) });
  const told = opened ?? (can.correct && status === 'SENT' ? t('home.notOpened') : null);
  // It counts while they may sign, and where it may be what ended the process.
  const counts = process === 'IN_PROGRESS' || process === 'FINALIZED_BY_EXPIRATION';
  const due = dueDate === null || !counts ? null : t('home.dueAt', { at: formatDateTime(dueDate) });
  return <span className="muted">{[told, due].filter((text) => text !== null).join(' · ')}</span>;
}

function PersonActs({ id, signer, link }: Omit<PersonProps, 'status'>) {
  const { t } = useTranslation();
  const [correcting, correct] = useState(false);
  const { act, busy, failure } = useAct(tellSignerAgain, [getSubDataProcess, getProcessStory]);
  const { can, name, tellAgainIn } = signer;
  const signerId = signer.id ?? '';
  const tell = async (as: 'invitation' | 'reminder') => {
    if (!(await act({ params: { id, signerId }, body: { as } }))) return;
    showToast({ text: t(as === 'reminder' ? 'home.reminded' : 'home.resent', { name }) });
  };
  if (!can.sign && !can.handOutLink && !can.correct) return null;
  const isWaited = can.handOutLink;
  return (
    <>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <div className="actions person-acts">
        {can.sign && (
          <button type="button" className="primary" onClick={() => void link.sign()}>
            {t('home.sign')}
          </button>
        )}
        {can.tellAgain && (
          <>
            <button type="button" disabled={busy} onClick={() => void tell('reminder')}>
              {t('home.remind')}
            </button>
            <button type="button" disabled={busy} onClick={() => void tell('invitation')}>
              {t('home.resend')}
            </button>
          </>
        )}
        {isWaited && (
          <button type="button" onClick={() => void link.copy(signer)}>
            {t('home.copyLink')}
          </button>
        )}
        {can.correct && (
          <button type="button" onClick={() => correct(true)}>
            {t('home.correct')}
          </button>
        )}
      </div>
      {isWaited && tellAgainIn > 0 && <p className="hint">{t('home.toldRecently', { minutes: tellAgainIn })}</p>}
      {correcting && <CorrectSigner id={id} signer={signer} onClose={() => correct(false)} />}
    </>
  );
}
