import type { Access } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import type { Actor } from './actor.ts';
import { findSessionActor } from './session.store.ts';
import { readToken } from './token.ts';

/**
 * The actor of the request's Bearer token. For public calls a missing token is nobody; a bad one is refused
 * on calls that need somebody and ignored on public ones.
 * @throws DomainError request.unauthorized, request.forbidden
 */
export async function authenticateRequest(ctx: Ctx, request: FastifyRequest, access: Access): Promise<Actor | null> {
  const actor = await actorOf(ctx, request);
  if (access === 'public') return actor;
  if (!actor) throw new DomainError('request.unauthorized');
  if (access !== 'authenticated' && !holdsOne(actor, access)) throw new DomainError('request.forbidden');
  return actor;
}

async function actorOf(ctx: Ctx, request: FastifyRequest): Promise<Actor | null> {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme !== 'Bearer' || !token) return null;
  const claims = readToken(ctx.secrets, token, ctx.clock.now());
  return claims ? findSessionActor(ctx, claims.sid, claims.sub) : null;
}

/** An empty demand is met by any authority (section 6). */
function holdsOne(actor: Actor, demanded: Exclude<Access, string>): boolean {
  return actor.authorities.some((authority) => demanded.length === 0 || demanded.includes(authority));
}
