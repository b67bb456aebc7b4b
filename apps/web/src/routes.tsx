import { Suspense } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { sameAddresses } from './entities/elsewhere.tsx';
import { fetchPages, pagesInTime, lazyInTime } from './lib/lazy-pages.ts';
import { RequireOwnAccounts } from './shell/own-accounts.tsx';
import { Layout } from './shell/layout.tsx';
import { PageOrStopped } from './shell/page-or-stopped.tsx';

const login = () => import('./features/accounts/login.page.tsx');

/** The other addresses, and with them the page of the one that is open. */
async function others() {
  const { Component, pageLoaded: otherPageLoaded } = await import('./signed-in.routes.tsx');
  await otherPageLoaded(window.location.pathname);
  return { Component };
}

/** The addresses that nobody has to sign in for (section 2 of the specification). */
const addresses: RouteObject[] = [
  {
    path: '/',
    element: <Layout />,
    children: [
      {
        // Inside the layout, so that the menu stays in reach when a page stops working.
        element: <PageOrStopped />,
        children: [
          { index: true, lazy: login },
          { path: 'login', lazy: login },
          { path: 'logout', lazy: () => import('./features/accounts/logout.page.tsx') },
          { path: 'login/return/:provider', lazy: () => import('./features/accounts/login-return.page.tsx') },
          {
            element: <RequireOwnAccounts />,
            children: [
              { path: 'account/register', lazy: () => import('./features/accounts/register.page.tsx') },
              { path: 'account/activate/:key?', lazy: () => import('./features/accounts/activate.page.tsx') },
              { path: 'account/reset/request', lazy: () => import('./features/accounts/reset-request.page.tsx') },
              { path: 'account/reset/finish/:key?', lazy: () => import('./features/accounts/reset-finish.page.tsx') },
            ],
          },
          { path: 'validateLogin', lazy: () => import('./features/verification/validate-login.page.tsx') },
          { path: 'validate', lazy: () => import('./features/verification/validate.page.tsx') },
          // An entity's form, which is nobody's link.
          ...sameAddresses('signer', 'entity/signer', ['new']),
          { path: 'signer/:id', lazy: () => import('./features/signing/signer.page.tsx') },
          { path: 'draw', lazy: () => import('./features/signing/draw.page.tsx') },
          { path: 'callback/:id', lazy: () => import('./features/signing/callback.page.tsx') },
          { path: 'api-docs', lazy: () => import('./features/wire/wire.page.tsx') },
          { path: 'accept_invite/:id', lazy: () => import('./features/companies/accept-invite.page.tsx') },
          { path: 'download/:id', lazy: () => import('./features/downloads/download.page.tsx') },
          // Of people who are signed in, and what there is not: those addresses weigh on nobody else's page.
          { path: '*', lazy: others },
        ],
      },
    ],
  },
];

/** A page whose script does not come in time says so. */
const pages = pagesInTime(addresses);

// As the kit: gone from what is built for use.
const DevTool = import.meta.env.DEV ? lazyInTime(async () => (await import('./dev/dev-tool.tsx')).DevTool) : null;

/** What stands at the address. */
export function Pages() {
  return (
    <>
      {useRoutes(pages)}
      <Suspense>{DevTool && <DevTool />}</Suspense>
    </>
  );
}

/** The script of the page at an address has come, or never will. */
export function pageLoaded(pathname: string): Promise<void> {
  return fetchPages(pages, pathname);
}
