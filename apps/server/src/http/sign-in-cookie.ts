import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import { readOwnCookie, setOwnCookie } from './own-cookie.ts';

const NAME = 'lavra-sign-in';
/** Longer than any sign-in at a provider may take. */
const SECONDS = 3600;
const SHAPE = /^[\w-]{43}$/;

/** A secret of the browser that a sign-in began in: only there it may end. Null without one. */
export function readSignInCookie(ctx: Ctx, request: FastifyRequest): string | null {
  const value = readOwnCookie(ctx, request, NAME);
  return SHAPE.test(value) ? value : null;
}

export function setSignInCookie(ctx: Ctx, reply: FastifyReply, secret: string): void {
  setOwnCookie(ctx, reply, NAME, { value: secret, seconds: SECONDS });
}
