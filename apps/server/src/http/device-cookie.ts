import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeviceClaim } from '../access/device-claim.ts';
import type { Ctx } from '../context.ts';
import { readOwnCookie, setOwnCookie } from './own-cookie.ts';

const NAME = 'lavra-device';
const DAYS = 180;
// The last letter of the MAC has bits that no byte needs: one claim, one spelling.
const SHAPE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([1-9]\d{0,8})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

function macOf(ctx: Ctx, claim: DeviceClaim): string {
  return ctx.secrets.sign('device', `${claim.id}.${claim.generation}`).toString('base64url');
}

/** The claim of the request's cookie when its MAC is ours; null otherwise. */
export function readDeviceCookie(ctx: Ctx, request: FastifyRequest): DeviceClaim | null {
  const [, id, generation, mac] = SHAPE.exec(readOwnCookie(ctx, request, NAME)) ?? [];
  if (!id || !generation || !mac) return null;
  const claim = { id, generation: Number(generation) };
  return ctx.secrets.verify('device', `${claim.id}.${claim.generation}`, Buffer.from(mac, 'base64url')) ? claim : null;
}

export function setDeviceCookie(ctx: Ctx, reply: FastifyReply, claim: DeviceClaim): void {
  const value = `${claim.id}.${claim.generation}.${macOf(ctx, claim)}`;
  setOwnCookie(ctx, reply, NAME, { value, seconds: DAYS * 86_400 });
}
