import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What every visitor gets alike, made once. */
export interface PublicAnswer {
  type: string;
  body: Buffer;
  etag: string;
}

export function publicAnswer(type: string, body: Uint8Array | string): PublicAnswer {
  const bytes = Buffer.from(body);
  return { type, body: bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 20)}"` };
}

/** Sends it, or says that the visitor has it already. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, answer: PublicAnswer, maxAgeSeconds: number): FastifyReply {
  void reply.header('etag', answer.etag).header('cache-control', `public, max-age=${maxAgeSeconds}`).type(answer.type);
  return request.headers['if-none-match'] === answer.etag ? reply.code(304).send() : reply.send(answer.body);
}
