import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';

/**
 * Over https the prefix keeps neighbours (other hosts of the same domain) from planting one. Cookies do not know ports: in
 * development, where several installations share a host, the name does.
 */
function ownName(ctx: Ctx, name: string): string {
  if (ctx.publicUrl.startsWith('https:')) return `__Host-${name}`;
  const { port } = new URL(ctx.publicUrl);
  return port === '' ? name : `${name}-${port}`;
}

/** The cookie's value; '' without it, and where there are several of the name. */
export function readOwnCookie(ctx: Ctx, request: FastifyRequest, name: string): string {
  const own = ownName(ctx, name);
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${own}=`)).map((pair) => pair.slice(own.length + 1));
  return values.length === 1 ? (values[0] ?? '') : '';
}

/** Pages cannot read it and other sites cannot send it. */
export function setOwnCookie(ctx: Ctx, reply: FastifyReply, name: string, { value, seconds }: { value: string; seconds: number }): void {
  const secure = ctx.publicUrl.startsWith('https:') ? '; Secure' : '';
  void reply.header('set-cookie', `${ownName(ctx, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`);
}
