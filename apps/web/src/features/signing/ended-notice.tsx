import { followSigning, getRequisitionInformation } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { callAddress } from '../../lib/api-client.ts';
import { useCall } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useSessionId } from '../../lib/session.ts';
import { isSingleSignOn } from '../../lib/single-sign-on.ts';
import { Notice } from '../../shell/page.tsx';
import { processEndText } from '../../shell/status-badge.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { SignerInformation } from './signer-information.ts';
import { useGoHome } from './use-go-home.ts';

/** The last signer's documents are sealed in moments; other people's turns may take days. */
const QUICK_MS = 60_000;

/** The facts of before the act are old: they are read anew at once, and until the process has ended, however it does. */
function useFactsSince(id: string, user: string | undefined): void {
  const [began] = useState(Date.now);
  useCall(
    getRequisitionInformation,
    { params: { processId: id }, query: { user } },
    {
      pollAfter: (reply) => {
        if (reply?.status !== 'IN_PROGRESS') return false;
        return limits.signingStatusPollMs * (Date.now() - began < QUICK_MS ? 1 : 5);
      },
      toldBy: () => callAddress(followSigning, { processId: id, signerId: user ?? '' }),
    },
  );
}

interface EndedNoticeProps {
  ended: 'signed' | 'finalized' | 'rejected';
  id: string;
  user: string | undefined;
  information: SignerInformation;
}

/** A calm end: with a session back to the list, without one a page that says what was signed and what comes next. */
export function EndedNotice({ ended: told, id, user, information }: EndedNoticeProps) {
  const { t } = useTranslation();
  useGoHome(true, limits.successPopupMs + limits.successRedirectMs);
  useFactsSince(id, user);
  const { status, endedBy, endedAt } = information;
  const ended = told === 'signed' && status === 'FINALIZED_WITH_SUCCESS' ? 'finalized' : told;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  if (ended === 'rejected') return <Notice>{t('signer.ended.rejected')}</Notice>;
  return (
    <section className="card signed-moment">
      <span className="signed-mark">
        <Icon name="check" />
      </span>
      {/* A status in it would leave it without a name. */}
      <h2 ref={heading} tabIndex={-1} aria-live="polite">
        {t(`signer.ended.${ended}`)}
      </h2>
      {/* Facts of before the act are not told as what came of it. */}
      {information.me?.status === 'SIGNED' && <Receipt information={information} me={information.me} />}
      {ended === 'signed' ? (
        // Somebody else may end it without success.
        <p aria-live="polite">{processEndText(status, endedBy, endedAt, t) ?? t('signer.ended.next')}</p>
      ) : (
        <>
          <p>{t('signer.ended.ready')}</p>
          <p className="last">
            <Link className="button primary" to={`/download/${id}?user=${user}`}>
              {t('word.download')}
            </Link>
          </p>
        </>
      )}
      <OwnAccount />
    </section>
  );
}

/** Whoever signed without an account may want to send something too. */
function OwnAccount() {
  const { t } = useTranslation();
  if (useSessionId() !== null || isSingleSignOn()) return null;
  return (
    <p className="hint">
      {t('signer.ended.account')} <Link to="/account/register">{t('word.register')}</Link>
    </p>
  );
}

/** What was signed, when, how far the others are, and whose turn it is, if it is anybody's. */
function Receipt({ information, me }: { information: SignerInformation; me: NonNullable<SignerInformation['me']> }) {
  const { t } = useTranslation();
  const { documents, signers, status } = information;
  const waiting = signers.filter(({ status }) => status !== 'SIGNED');
  const turn = Math.min(...waiting.map(({ order }) => order));
  const next = waiting.filter(({ order }) => order === turn).map(({ name }) => name);
  return (
    <dl className="facts">
      {documents.length > 0 && (
        <div>
          <dt>{t('word.documents')}</dt>
          <dd>{documents.map(({ name }) => name).join(', ')}</dd>
        </div>
      )}
      {me.signedDate && (
        <div>
          <dt>{t('signer.signedAt')}</dt>
          <dd>{formatDateTime(me.signedDate)}</dd>
        </div>
      )}
      <div>
        <dt>{t('word.signers')}</dt>
        <dd>{t('signer.progress', { done: signers.length - waiting.length, count: signers.length })}</dd>
      </div>
      {status === 'IN_PROGRESS' && next.length > 0 && (
        <div>
          <dt>{t('signer.nextPerson', { count: next.length })}</dt>
          <dd>{next.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}
