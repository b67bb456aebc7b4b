import type { Ctx } from '../../../context.ts';

/** What the provider gave with a session: to ask it again, and to end its own session. */
export interface ProviderTokens {
  refreshToken: string;
  /** A hint of who leaves; null: the provider asks them. */
  idToken: string | null;
}

export function sealTokens(ctx: Ctx, { refreshToken, idToken }: ProviderTokens): Buffer {
  return ctx.secrets.encrypt('sso', Buffer.from(JSON.stringify({ refreshToken, idToken })));
}

/** Null: there are none, or none that can be opened any more. */
export function openTokens(ctx: Ctx, sealed: Buffer | null): ProviderTokens | null {
  return sealed && (JSON.parse(ctx.secrets.decrypt('sso', sealed).toString()) as ProviderTokens);
}
