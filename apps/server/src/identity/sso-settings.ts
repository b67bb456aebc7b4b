import type { PermissionRoles } from '@lavra/domain';
import type { ProviderSettings } from './provider-settings.ts';

/** Single sign-on mode: one provider knows everybody, and no other way leads in. */
export interface SsoSettings {
  /** Its id among the configured providers. */
  readonly provider: string;
  readonly permissionRoles: PermissionRoles;
}

interface SsoVariables {
  readonly LAVRA_SSO: boolean;
  readonly LAVRA_SSO_PROVIDER: string | null;
  readonly LAVRA_SSO_LOGIN_ROLE: string | null;
  readonly LAVRA_SSO_CREATE_PROCESS_ROLE: string | null;
}

/** Null: the mode is off, and what else is set for it waits for its flag. */
export function readSsoSettings(env: SsoVariables, providers: readonly ProviderSettings[], faults: string[]): SsoSettings | null {
  if (!env.LAVRA_SSO) return null;
  const ids = providers.map(({ id }) => id);
  const provider = env.LAVRA_SSO_PROVIDER ?? (ids.length === 1 ? ids[0] : undefined);
  if (ids.length === 0) faults.push('LAVRA_OIDC_PROVIDERS: missing beside LAVRA_SSO, which needs a provider to sign in with');
  else if (provider === undefined) faults.push(`LAVRA_SSO_PROVIDER: missing beside LAVRA_SSO; one of ${ids.join(', ')}`);
  else if (!ids.includes(provider)) faults.push(`LAVRA_SSO_PROVIDER: not one of LAVRA_OIDC_PROVIDERS; there are ${ids.join(', ')}`);
  const { LAVRA_SSO_LOGIN_ROLE: LOGIN, LAVRA_SSO_CREATE_PROCESS_ROLE: CREATE_PROCESS } = env;
  return { provider: provider ?? '', permissionRoles: { LOGIN, CREATE_PROCESS } };
}
