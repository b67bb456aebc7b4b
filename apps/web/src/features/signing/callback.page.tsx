import { createAuthorizeTransactionCallback } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { ApiError, callApi } from '../../lib/api-client.ts';
import { codeText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { browserSecret } from './digital/browser-secret.ts';

/** What the provider says in the address; there is nothing of it where the window was loaded again. */
const said = ['state', 'code', 'error'];

const UNKNOWN = 'signing.authorizationUnknown';

/** One code acts once, however often the page is drawn. */
const handed = new Map<string, Promise<string | null>>();

/** Hands in what the provider answered: null, or the code of why it failed. */
function handIn(id: string, query: URLSearchParams): Promise<string | null> {
  const state = query.get('state') ?? '';
  const before = handed.get(state);
  if (before) return before;
  const body = { id, state, code: query.get('code'), error: query.get('error'), image: null, browser: browserSecret() };
  const sent = callApi(createAuthorizeTransactionCallback, { body }).then(
    ({ statusCode }) => (statusCode >= 400 ? UNKNOWN : null),
    (error: unknown) => (error instanceof ApiError ? error.code : UNKNOWN),
  );
  handed.set(state, sent);
  return sent;
}

/** Where the provider's window comes back: it tells the server, says what became of it, and closes. */
export function Component() {
  const { t } = useTranslation();
  const id = useParams()['id'] ?? '';
  const [outcome, setOutcome] = useState<{ fault: string | null } | null>(null);
  // Read once: it leaves the address before anything else can happen.
  const [query] = useState(() => new URLSearchParams(window.location.search));
  const hasAnswer = said.some((name) => query.has(name));
  useEffect(() => {
    if (!hasAnswer) return undefined;
    window.history.replaceState(window.history.state, '', window.location.pathname);
    let shown = true;
    void handIn(id, query).then((fault) => shown && setOutcome({ fault }));
    return () => {
      shown = false;
    };
  }, [id, query, hasAnswer]);
  useEffect(() => {
    if (hasAnswer && !outcome) return undefined;
    const timer = setTimeout(() => window.close(), limits.callbackCloseMs);
    return () => clearTimeout(timer);
  }, [hasAnswer, outcome]);
  return (
    <Page title={t('callback.title')} frame="form">
      {!hasAnswer && <Notice>{t('callback.again')}</Notice>}
      {hasAnswer && !outcome && <p role="status">{t('word.wait')}</p>}
      {outcome?.fault === null && <Notice kind="success">{t('callback.done')}</Notice>}
      {outcome && outcome.fault !== null && (
        <Notice kind="error">
          <p className="last">{t(UNKNOWN)}</p>
          {outcome.fault !== UNKNOWN && <p className="last">{codeText(outcome.fault, t)}</p>}
        </Notice>
      )}
      {(outcome || !hasAnswer) && <p className="hint">{t('callback.closes')}</p>}
    </Page>
  );
}
