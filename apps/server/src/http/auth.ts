import type { Access } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import type { Actor } from '../access/actor.ts';
import { findSessionActor } from '../access/sessions.store.ts';
import { readToken } from '../access/token.ts';

/**
 * Who asks, and what became of the Bearer token: `foreign` was not signed by us, `expired` was and may be refreshed,
 * `ended` belongs to a session that is over.
 */
export interface Caller {
  actor: Actor | null;
  token: 'none' | 'foreign' | 'expired' | 'ended' | 'good';
}

/**
 * The actor that a call demands. For public calls a missing token is nobody; a bad one is refused on calls that need
 * somebody and ignored on public ones.
 * @throws DomainError request.unauthorized, request.forbidden
 */
export function admit({ actor }: Caller, access: Access): Actor | null {
  if (access === 'public') return actor;
  if (!actor) throw new DomainError('request.unauthorized');
  if (access !== 'authenticated' && !holdsOne(actor, access)) throw new DomainError('request.forbidden');
  return actor;
}

/** The request's Bearer token; null without one. */
export function bearerToken(request: FastifyRequest): string | null {
  const [scheme, token, rest] = (request.headers.authorization ?? '').split(' ');
  return scheme === 'Bearer' && token && rest === undefined ? token : null;
}

export async function callerOf(ctx: Ctx, request: FastifyRequest): Promise<Caller> {
  const given = bearerToken(request);
  if (given === null) return { actor: null, token: 'none' };
  const claims = await readToken(ctx, given);
  if (!claims) return { actor: null, token: 'foreign' };
  if (claims.expired) return { actor: null, token: 'expired' };
  const actor = await findSessionActor(ctx, claims.sid, claims.sub);
  return { actor, token: actor ? 'good' : 'ended' };
}

/** An empty demand is met by any authority (section 6). */
function holdsOne(actor: Actor, demanded: Exclude<Access, string>): boolean {
  return actor.authorities.some((authority) => demanded.length === 0 || demanded.includes(authority));
}
