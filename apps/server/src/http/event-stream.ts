import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

const begun = new WeakMap<FastifyReply, number>();

/** Sends server-sent events as they come, through proxies too, until they end or whoever reads them leaves. */
export function sendEvents(reply: FastifyReply, events: Readable): FastifyReply {
  begun.set(reply, reply.elapsedTime);
  // Also of a HEAD, whose answer has no body that would end.
  reply.raw.once('close', () => events.destroy());
  return reply
    .header('content-type', 'text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(events);
}

/** Milliseconds until a request was answered: of events, until they began. */
export function answeredAfter(reply: FastifyReply): number {
  return begun.get(reply) ?? reply.elapsedTime;
}
