/** What an account may do beside what its authorities open (section 6). */
export const accountPermissions = ['LOGIN', 'CREATE_PROCESS'] as const;
export type AccountPermission = (typeof accountPermissions)[number];

/** The role at the provider of single sign-on that gives each permission; null: everybody has it. */
export type PermissionRoles = Readonly<Record<AccountPermission, string | null>>;

/** The permissions that the roles of somebody at the provider of single sign-on come with. */
export function permissionsOfRoles(roles: readonly string[], needed: PermissionRoles): AccountPermission[] {
  return accountPermissions.filter((permission) => needed[permission] === null || roles.includes(needed[permission]));
}

/**
 * Whether an account may do something: with no authority nothing; with one everything, unless a provider of single sign-on says
 * what its people may. `granted`: what it said; null: nobody was asked.
 */
export function hasAccountPermission(
  permission: AccountPermission,
  { authorities, granted }: { authorities: readonly string[]; granted: readonly string[] | null },
): boolean {
  return authorities.length > 0 && (granted === null || granted.includes(permission));
}

/** Realm roles: `admin` gives ROLE_ADMIN, and whoever has signed in has ROLE_USER, with the role `user` or without it (section 6). */
export function authoritiesOfRoles(roles: readonly string[]): ('ROLE_USER' | 'ROLE_ADMIN')[] {
  return roles.includes('admin') ? ['ROLE_USER', 'ROLE_ADMIN'] : ['ROLE_USER'];
}
