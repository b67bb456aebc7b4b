import { finishSocialSignIn } from '@lavra/api';
import { useEffect, useState } from 'react';
import { Link, Navigate, useParams } from 'react-router';
import { useTranslation } from '../../../lib/i18n.ts';
import { ApiError, callApi } from '../../../lib/api-client.ts';
import { useSessionId } from '../../../lib/session.ts';
import { type ReturnTo, takeReturnTo } from '../../../lib/single-sign-on.ts';
import { Notice, Page } from '../../../shell/page.tsx';
import { entered, type SignInOutcome, tellOutcome } from './sign-in-channel.ts';
import { SocialOutcome } from './social-outcome.tsx';

/** One answer acts once, however often the page is drawn. */
const handed = new Map<string, Promise<{ outcome: SignInOutcome; taken: boolean }>>();

function handIn(provider: string, query: string) {
  const before = handed.get(query);
  if (before) return before;
  const done = callApi(finishSocialSignIn, { body: { provider, query } })
    .then(({ registration, ...answer }): SignInOutcome => (registration ? { kind: 'registration', registration } : entered(answer)))
    .catch((error: unknown): SignInOutcome => ({ kind: 'refused', code: error instanceof ApiError ? error.code : 'server.unexpected' }))
    .then(async (outcome) => ({ outcome, taken: await tellOutcome(new URLSearchParams(query).get('state') ?? '', outcome) }));
  handed.set(query, done);
  return done;
}

/** Where a provider sends people back to: the answer is handed in, the page that opened this window is told, and the window closes. */
export function SocialReturn() {
  const { t } = useTranslation();
  const provider = useParams()['provider'] ?? '';
  const session = useSessionId();
  const [outcome, setOutcome] = useState<SignInOutcome | null>(null);
  const [taken, setTaken] = useState(false);
  const [given, setGiven] = useState(false);
  const [returnTo, setReturnTo] = useState<ReturnTo>({});
  // Read once: it leaves the address before anything else can happen.
  const [query] = useState(() => window.location.search.slice(1));
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname);
    let shown = true;
    void handIn(provider, query).then((done) => {
      if (!shown) return;
      if (done.taken) window.close();
      else setReturnTo(takeReturnTo());
      setTaken(done.taken);
      setOutcome(done.outcome);
    });
    return () => {
      shown = false;
    };
  }, [provider, query]);

  function settle(next: SignInOutcome | null): void {
    setGiven(next === null);
    setOutcome(next);
  }

  if (!taken && session !== null && outcome?.kind === 'entered')
    return <Navigate to={returnTo.from ?? '/signature'} state={returnTo.fromState} replace />;
  if (!taken && outcome?.kind === 'awaited') return <Navigate to="/login" state={{ ...returnTo, awaited: outcome.awaited }} replace />;
  if (given) return <Navigate to="/login" replace />;
  return (
    <Page title={t('social.returnTitle')} frame="form">
      {!outcome && <p role="status">{t('word.wait')}</p>}
      {taken && <Notice>{t('social.done')}</Notice>}
      {outcome && !taken && <SocialOutcome outcome={outcome} settle={settle} />}
      {outcome?.kind === 'refused' && !taken && <Link to="/login">{t('social.again')}</Link>}
    </Page>
  );
}
