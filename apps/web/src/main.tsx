import '@fontsource-variable/source-sans-3/wght.css';
import '@fontsource-variable/source-serif-4/wght.css';
import './styles/index.css';
import { getManagementInfo } from '@lavra/api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { callApi } from './lib/api-client.ts';
import { callKey } from './lib/calls.ts';
import { setSingleSignOn } from './lib/single-sign-on.ts';
import { startI18n } from './lib/i18n.ts';
import { router } from './routes.tsx';

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });

/** Where people sign in, before the first page is drawn: the sign-in page does not flash up where it is off. */
async function learnSignIn(): Promise<void> {
  const asked = { queryKey: callKey(getManagementInfo, {}), queryFn: () => callApi(getManagementInfo, {}) };
  setSingleSignOn((await queries.fetchQuery({ ...asked, retry: 1 }).catch(() => null))?.ssoEnabled ?? false);
}

/** The first page’s own script has come: until then the bare header of index.html stands. */
function firstPageLoaded(): Promise<void> {
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
    if (router.state.initialized) resolve();
  });
}

async function start(): Promise<void> {
  await Promise.all([startI18n(), learnSignIn(), firstPageLoaded()]);
  const root = document.getElementById('root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
