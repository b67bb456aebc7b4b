import { getManagementInfo } from '@lavra/api';
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { learnAccount } from './lib/account.ts';
import { callApi } from './lib/api-client.ts';
import { callKey } from './lib/calls.ts';
import { queries } from './lib/queries.ts';
import { readToken } from './lib/token.ts';
import { setSingleSignOn } from './lib/single-sign-on.ts';
import { fetchLetters } from './lib/letters.ts';
import { startI18n } from './lib/i18n.ts';
import { pageLoaded, Pages } from './routes.tsx';
import { menusLoaded } from './shell/layout.tsx';
import { leadToFirstFault } from './ui/first-fault.ts';
import { keepHeldFocus } from './ui/held-focus.ts';

/** Where people sign in, before the first page is drawn: the sign-in page does not flash up where it is off. */
async function learnSignIn(): Promise<void> {
  const asked = { queryKey: callKey(getManagementInfo, {}), queryFn: () => callApi(getManagementInfo, {}) };
  setSingleSignOn((await queries.fetchQuery({ ...asked, retry: 1 }).catch(() => null))?.ssoEnabled ?? false);
}

async function start(): Promise<void> {
  // In a tab that nobody looks at what failed is asked again once somebody does, which is heard from here on.
  queries.mount();
  // Until the first page’s own script has come, the bare header of index.html stands.
  const page = pageLoaded(window.location.pathname);
  void page.then(fetchLetters).catch(() => {});
  await Promise.all([startI18n(), learnSignIn(), page, ...(readToken() === null ? [] : [learnAccount(), menusLoaded()])]);
  const root = document.getElementById('root');
  if (!root) return;
  keepHeldFocus(document);
  leadToFirstFault(document);
  // In small steps: on a slow telephone a finger is answered meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <BrowserRouter>
            <Pages />
          </BrowserRouter>
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}

start().catch((error: unknown) => {
  document.querySelector('.late')?.classList.add('is-certain');
  throw error;
});
