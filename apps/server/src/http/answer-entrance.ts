import type { Entered } from '@lavra/api';
import type { FastifyReply } from 'fastify';
import type { Entrance, Opened } from '../access/entrance.ts';
import type { Ctx } from '../context.ts';
import { setDeviceCookie } from './device-cookie.ts';

/** A session as it is answered: its token in the body and the header, and the browser's cookie. */
export function answerOpened(ctx: Ctx, reply: FastifyReply, { token, device }: Opened): { id_token: string } {
  setDeviceCookie(ctx, reply, device);
  void reply.header('authorization', `Bearer ${token}`);
  return { id_token: token };
}

/** A way in as it is answered: a session, or its second step, which is good with the same cookie alone. */
export function answerEntrance(ctx: Ctx, reply: FastifyReply, entrance: Entrance): Entered {
  if ('token' in entrance) return answerOpened(ctx, reply, entrance);
  setDeviceCookie(ctx, reply, entrance.device);
  return { secondStep: entrance.secondStep };
}
