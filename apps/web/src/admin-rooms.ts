import type { ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { entityAddresses } from './entities/entity-addresses.tsx';

/**
 * A room of the administration. Its words stand in the locales under `<words>.title`, which names it in the list of rooms, and
 * `<words>.about`, one sentence of what is done there.
 */
export interface AdminRoom {
  /** Below `/admin`: its first address, which the list leads to. */
  readonly address: string;
  readonly group: AdminGroup;
  readonly words: string;
  /** All of its addresses, below `/admin`; their pages are loaded lazily. */
  readonly routes: readonly RouteObject[];
}

/** In the order of the list; headed by `admin.group.<name>`. */
export const adminGroups = ['people', 'installation'] as const;
export type AdminGroup = (typeof adminGroups)[number];

/** A room of one page, which is called as its address. */
function installationRoom(address: string, lazy: () => Promise<{ Component: () => ReactNode }>): AdminRoom {
  return { address, group: 'installation', words: address, routes: [{ path: address, lazy }] };
}

/** The rooms of the administration, in the order of their list. */
export const adminRooms: readonly AdminRoom[] = [
  {
    address: 'users',
    group: 'people',
    words: 'users',
    routes: entityAddresses('users', () => import('./features/users/user.view.tsx')),
  },
  {
    address: 'personal-data',
    group: 'people',
    words: 'personalData',
    routes: [{ path: 'personal-data', lazy: () => import('./features/users/personal-data.page.tsx') }],
  },
  {
    address: 'second-factor',
    group: 'people',
    words: 'secondFactorPolicy',
    routes: [{ path: 'second-factor', lazy: () => import('./features/accounts/second-factor-policy.page.tsx') }],
  },
  {
    address: 'audit',
    group: 'people',
    words: 'audit',
    routes: [{ path: 'audit', lazy: () => import('./features/audit/audit.page.tsx') }],
  },
  installationRoom('health', () => import('./features/installation/health.page.tsx')),
  installationRoom('metrics', () => import('./features/installation/metrics.page.tsx')),
  installationRoom('program', () => import('./features/installation/program.page.tsx')),
  installationRoom('jobs', () => import('./features/installation/jobs.page.tsx')),
  installationRoom('certificates', () => import('./features/installation/certificates.page.tsx')),
  installationRoom('log', () => import('./features/installation/log.page.tsx')),
  installationRoom('configuration', () => import('./features/installation/configuration.page.tsx')),
];
