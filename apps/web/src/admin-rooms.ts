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

/** The rooms of the administration, in the order of their list. */
export const adminRooms: readonly AdminRoom[] = [
  {
    address: 'users',
    group: 'people',
    words: 'users',
    routes: entityAddresses('users', () => import('./features/users/user.view.tsx')),
  },
  {
    address: 'audit',
    group: 'people',
    words: 'audit',
    routes: [{ path: 'audit', lazy: () => import('./features/audit/audit.page.tsx') }],
  },
];
