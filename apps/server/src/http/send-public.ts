import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublicAnswer } from '../public-answer.ts';

/** Of what has a name of its own for each state: it never changes (RFC 8246). */
export const YEAR_SECONDS = 31_536_000;

/** Sends what every visitor gets alike, or says that the visitor has it already. `maxAgeSeconds` 0: asked again each time. */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, answer: PublicAnswer, maxAgeSeconds: number): FastifyReply {
  void reply
    .header('etag', answer.etag)
    .header(
      'cache-control',
      maxAgeSeconds === 0 ? 'no-cache' : `public, max-age=${maxAgeSeconds}${maxAgeSeconds === YEAR_SECONDS ? ', immutable' : ''}`,
    )
    .header('vary', 'accept-encoding')
    .type(answer.type);
  if (request.headers['if-none-match'] === answer.etag) return reply.code(304).send();
  const encoding = takenEncoding(String(request.headers['accept-encoding'] ?? ''), answer.packed);
  return encoding ? reply.header('content-encoding', encoding).send(answer.packed[encoding]) : reply.send(answer.body);
}

/** RFC 9110 §12.5.3: what is named and not refused by a weight of 0. */
function takenEncoding(accepts: string, packed: PublicAnswer['packed']): 'br' | 'gzip' | null {
  const taken = accepts.split(',').map((one) => /^\s*([\w*]+)\s*(?:;\s*q=(.*))?$/i.exec(one));
  const takes = (name: string) => taken.some((one) => one?.[1]?.toLowerCase() === name && Number(one[2] ?? 1) > 0);
  return (['br', 'gzip'] as const).find((name) => name in packed && takes(name)) ?? null;
}
