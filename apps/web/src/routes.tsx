import { lazy, Suspense } from 'react';
import { type RouteObject, useRoutes } from 'react-router';
import { adminRooms } from './admin-rooms.ts';
import { sameAddresses } from './entities/elsewhere.tsx';
import { entityAddresses } from './entities/entity-addresses.tsx';
import { CompanyDeletionAddress } from './features/companies/company-deletion-address.tsx';
import { entityScreens } from './entity-screens.ts';
import { fetchPages, pagesInTime } from './lib/lazy-pages.ts';
import { AdminFrame } from './shell/admin-frame.tsx';
import { RequireAccount, RequireAuthority, RequireOwnAccounts } from './shell/guards.tsx';
import { Layout } from './shell/layout.tsx';
import { PageOrStopped } from './shell/page-or-stopped.tsx';

const login = () => import('./features/accounts/login.page.tsx');

/** Every address of the product that exists today (section 2 of the specification); the rest is not found. */
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
          { path: 'signer/:id', lazy: () => import('./features/signing/signer.page.tsx') },
          { path: 'draw', lazy: () => import('./features/signing/draw.page.tsx') },
          { path: 'callback/:id', lazy: () => import('./features/signing/callback.page.tsx') },
          { path: 'api-docs', lazy: () => import('./features/wire/wire.page.tsx') },
          { path: 'accept_invite/:id', lazy: () => import('./features/companies/accept-invite.page.tsx') },
          { path: 'download/:id', lazy: () => import('./features/downloads/download.page.tsx') },
          {
            element: <RequireAccount />,
            children: [
              { path: 'your_company/:id', lazy: () => import('./features/companies/company.page.tsx') },
              { path: 'view_member/:id', lazy: () => import('./features/companies/member.page.tsx') },
              { path: 'company/:id/delete', Component: CompanyDeletionAddress },
              {
                element: <RequireAuthority authority="ROLE_USER" />,
                children: [
                  { path: 'signature', lazy: () => import('./features/processes/reading/home.page.tsx') },
                  { path: 'signature/process/:id', lazy: () => import('./features/processes/reading/process.page.tsx') },
                  { path: 'prepare', lazy: () => import('./features/processes/creation/prepare.page.tsx') },
                  { path: 'confirm', lazy: () => import('./features/processes/creation/confirm.page.tsx') },
                  { path: 'entity', lazy: () => import('./shell/entities.page.tsx') },
                ],
              },
              { path: 'account', lazy: () => import('./features/accounts/settings.page.tsx') },
              { path: 'account/settings', lazy: () => import('./features/accounts/settings.page.tsx') },
              {
                element: <RequireOwnAccounts />,
                children: [
                  { path: 'account/password', lazy: () => import('./features/accounts/password.page.tsx') },
                  { path: 'account/second-factor', lazy: () => import('./features/accounts/second-factor.page.tsx') },
                  { path: 'account/email', lazy: () => import('./features/accounts/confirm-email.page.tsx') },
                ],
              },
              ...entityScreens.map(({ address, authority, load, formAddress, also }) => ({
                element: <RequireAuthority authority={authority} />,
                children: [
                  ...entityAddresses(address, load, formAddress),
                  ...(also ? sameAddresses(also.at, address, also.paths) : []),
                  ...(address.startsWith('entity/')
                    ? []
                    : sameAddresses(`entity/${address}`, address, ['', 'new', ':id', ':id/edit', ':id/delete'])),
                ],
              })),
              {
                path: 'admin',
                element: <RequireAuthority authority="ROLE_ADMIN" />,
                children: [
                  {
                    element: <AdminFrame />,
                    children: [
                      { index: true, lazy: () => import('./features/installation/admin-start.page.tsx') },
                      ...adminRooms.flatMap(({ routes }) => routes),
                    ],
                  },
                ],
              },
            ],
          },
          // Gone from what is built for use: the condition is a constant there, and nothing names the page any more.
          ...(import.meta.env.DEV ? [{ path: 'dev/kit', lazy: () => import('./dev/kit.page.tsx') }] : []),
          { path: '*', lazy: () => import('./shell/not-found.page.tsx') },
        ],
      },
    ],
  },
];

/** A page whose script does not come in time says so. */
const pages = pagesInTime(addresses);

// As the kit: gone from what is built for use.
const DevTool = import.meta.env.DEV ? lazy(async () => ({ default: (await import('./dev/dev-tool.tsx')).DevTool })) : null;

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
