import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicAnswer } from '../public-answer.ts';

/** Sends what every visitor gets alike, or says that the visitor has it already. `maxAgeSeconds` 0: asked again each time. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, answer: PublicAnswer, maxAgeSeconds: number): FastifyReply {
  void reply
    .header('etag', answer.etag)
    .header('cache-control', maxAgeSeconds === 0 ? 'no-cache' : `public, max-age=${maxAgeSeconds}`)
    .header('vary', 'accept-encoding')
    .type(answer.type);
  if (request.headers['if-none-match'] === answer.etag) return reply.code(304).send();
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return takesGzip && answer.gzipped ? reply.header('content-encoding', 'gzip').send(answer.gzipped) : reply.send(answer.body);
}
