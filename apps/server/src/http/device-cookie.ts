import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeviceClaim } from '../access/device-claim.ts';
import type { Ctx } from '../context.ts';

const NAME = 'lavra-device';
const DAYS = 180;
// The last letter of the MAC has bits that no byte needs: one claim, one spelling.
const SHAPE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9]\d{0,8})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/**
 * Over https the prefix keeps neighbours (other hosts of the same domain) from planting one. Cookies do not know ports: in
 * development, where several installations share a host, the name does.
 */
function cookieName(ctx: Ctx): string {
  if (ctx.publicUrl.startsWith('https:')) return `__Host-${NAME}`;
  const { port } = new URL(ctx.publicUrl);
  return port === '' ? NAME : `${NAME}-${port}`;
}

function macOf(ctx: Ctx, claim: DeviceClaim): string {
  return ctx.secrets.sign('device', `${claim.id}.${claim.generation}`).toString('base64url');
}

/** The claim of the request's cookie when its MAC is ours; null otherwise. */
export function readDeviceCookie(ctx: Ctx, request: FastifyRequest): DeviceClaim | null {
  const name = cookieName(ctx);
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  const [, id, generation, mac] = SHAPE.exec(values.length === 1 ? (values[0] ?? '') : '') ?? [];
  if (!id || !generation || !mac) return null;
  const claim = { id, generation: Number(generation) };
  return ctx.secrets.verify('device', `${claim.id}.${claim.generation}`, Buffer.from(mac, 'base64url')) ? claim : null;
}

export function setDeviceCookie(ctx: Ctx, reply: FastifyReply, claim: DeviceClaim): void {
  const secure = ctx.publicUrl.startsWith('https:') ? '; Secure' : '';
  const value = `${claim.id}.${claim.generation}.${macOf(ctx, claim)}`;
  void reply.header('set-cookie', `${cookieName(ctx)}=${value}; Path=/; Max-Age=${DAYS * 86_400}; HttpOnly; SameSite=Strict${secure}`);
}
