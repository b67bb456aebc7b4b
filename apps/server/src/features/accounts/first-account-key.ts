import { createHash, randomBytes } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { hasAnyUser, insertFirstAccountKey } from './accounts.store.ts';

export function firstAccountKeyHash(key: string): string {
  return createHash('sha256').update(key.trim()).digest('hex');
}

/**
 * A one-time key by which the first administrator of a production installation proves themself: 192 random bits, for the
 * console of this start alone. Null where nobody needs one: in development, and as soon as there is an account.
 */
export async function issueFirstAccountKey(ctx: Ctx): Promise<string | null> {
  if (ctx.config.profile !== 'prod' || (await hasAnyUser(ctx))) return null;
  const key = randomBytes(24).toString('base64url');
  await insertFirstAccountKey(ctx, firstAccountKeyHash(key));
  return key;
}
