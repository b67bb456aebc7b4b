import type { PendingAuthorization, PscAuthorization } from '@lavra/psc';
import type { Ctx } from '../../../context.ts';

/** What an attempt keeps between its steps: the authorisation that waits for a person, then the one that was given. */
export type CloudSecret = { pending: PendingAuthorization } | { authorization: PscAuthorization };

export function sealSecret(ctx: Ctx, secret: CloudSecret): Buffer {
  return ctx.secrets.encrypt('psc', Buffer.from(JSON.stringify(secret)));
}

/** The pending authorisation; null when it was used already. */
export function openPending(ctx: Ctx, sealed: Buffer | null): PendingAuthorization | null {
  const secret = open(ctx, sealed);
  return secret && 'pending' in secret ? secret.pending : null;
}

/** The authorisation that was given; null before. */
export function openAuthorization(ctx: Ctx, sealed: Buffer | null): PscAuthorization | null {
  const secret = open(ctx, sealed);
  return secret && 'authorization' in secret ? secret.authorization : null;
}

function open(ctx: Ctx, sealed: Buffer | null): CloudSecret | null {
  return sealed && (JSON.parse(ctx.secrets.decrypt('psc', sealed).toString()) as CloudSecret);
}
