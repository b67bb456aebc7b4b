import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import type { Person, Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';

/**
 * The metrics as Prometheus reads them, for an administrator or whoever shows the installation's token for it.
 * @throws DomainError request.unauthorized, request.forbidden
 */
export async function readPrometheus(ctx: Ctx, actor: Person | Visitor, token: string | null): Promise<{ type: string; text: string }> {
  if (!mayRead(ctx, actor, token)) throw new DomainError(actor.kind === 'person' ? 'request.forbidden' : 'request.unauthorized');
  return { type: ctx.metrics.contentType, text: await ctx.metrics.text() };
}

function mayRead({ config }: Ctx, actor: Person | Visitor, token: string | null): boolean {
  if (actor.kind === 'person') return actor.authorities.includes('ROLE_ADMIN');
  return config.metricsToken !== null && token !== null && isSame(config.metricsToken, token);
}

/** In the same time, however much of it is right. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
