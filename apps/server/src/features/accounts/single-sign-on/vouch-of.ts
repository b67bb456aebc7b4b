import { type AccountPermission, permissionsOfRoles } from '@lavra/domain';
import { ACCESS_MINUTES } from '../../../access/token.ts';
import type { Ctx } from '../../../context.ts';
import type { ProvenIdentity } from '../../../identity/identity.ts';
import { realmRoles } from '../../../identity/realm-roles.ts';
import type { SsoSettings } from '../../../identity/sso-settings.ts';
import { type ProviderTokens, sealTokens } from './provider-tokens.ts';
import type { Vouch } from './sso-sessions.store.ts';

/**
 * What the provider's word is good for: until its own access token is over, and never for longer than one of ours. `held`: what it
 * gave before; an answer may come without an ID token or another refresh token (RFC 6749 §6), and those are good still.
 */
export function vouchOf(
  ctx: Ctx,
  { permissionRoles }: SsoSettings,
  identity: ProvenIdentity,
  held: ProviderTokens | null = null,
): Vouch & { roles: readonly string[] } {
  const { provider, subject, tokens } = identity;
  const roles = realmRoles(identity);
  const permissions: readonly AccountPermission[] = permissionsOfRoles(roles, permissionRoles);
  const { expiresInSeconds } = tokens;
  const refreshToken = tokens.refreshToken ?? held?.refreshToken ?? null;
  const idToken = tokens.idToken ?? held?.idToken ?? null;
  const most = ACCESS_MINUTES * 60;
  const seconds = Math.max(0, Math.min(expiresInSeconds ?? most, most));
  const until = new Date(ctx.clock.now().getTime() + seconds * 1000);
  return {
    provider,
    subject,
    roles,
    permissions,
    sealed: refreshToken === null ? null : sealTokens(ctx, { refreshToken, idToken }),
    until,
  };
}
