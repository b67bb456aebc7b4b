import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SsoSettings } from '../../../identity/sso-settings.ts';

/** @throws DomainError request.notFound where people sign in here */
export function ssoMode(ctx: Ctx): SsoSettings {
  if (!ctx.config.sso) throw new DomainError('request.notFound');
  return ctx.config.sso;
}
