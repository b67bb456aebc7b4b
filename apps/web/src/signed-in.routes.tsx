import { type RouteObject, useRoutes } from 'react-router';
import { adminRooms } from './admin-rooms.ts';
import { sameAddresses } from './entities/elsewhere.tsx';
import { entityAddresses } from './entities/entity-addresses.tsx';
import { entityScreens } from './entity-screens.ts';
import { CompanyDeletionAddress } from './features/companies/company-deletion-address.tsx';
import { fetchPages, pagesInTime } from './lib/lazy-pages.ts';
import { AdminFrame } from './shell/admin-frame.tsx';
import { RequireAccount, RequireAuthority } from './shell/guards.tsx';
import { RequireOwnAccounts } from './shell/own-accounts.tsx';

/** Every address of the product that exists today (section 2 of the specification), but for those of `routes.tsx`; the rest is not found. */
const addresses: RouteObject[] = [
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
];

const pages = pagesInTime(addresses);

/** What stands at the address. */
export function Component() {
  return useRoutes(pages);
}

/** The script of the page at an address has come, or never will. */
export function pageLoaded(pathname: string): Promise<void> {
  return fetchPages(pages, pathname);
}
