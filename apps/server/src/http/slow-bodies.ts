import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface SlowBodyLimits {
  /** A body of any size has this long before it is measured. */
  graceMs: number;
  /** What it must have brought since it began, on the average: an old phone on a bad line brings more. */
  bytesPerSecond: number;
  everyMs: number;
}

const usual: SlowBodyLimits = { graceMs: 60_000, bytesPerSecond: 2000, everyMs: 5000 };

/**
 * Against Slowloris: ends requests whose body drips; a fixed total would cut honest uploads of 100 MB, none at all lets anybody hold a connection
 * and a file for ever. (A minute without a byte ends a connection anyway, see `buildApp`.)
 */
export function endSlowBodies(app: FastifyInstance, { graceMs, bytesPerSecond, everyMs }: SlowBodyLimits = usual): void {
  const open = new Map<IncomingMessage, { since: number; bytes: number; answer: ServerResponse }>();
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0;
    // Some tests' requests come over no socket.
    if (!hasBody || raw.socket.bytesRead === undefined) return;
    open.set(raw, { since: performance.now(), bytes: raw.socket.bytesRead, answer: reply.raw });
    raw.once('close', () => open.delete(raw));
  });
  const look = () => {
    for (const [raw, { since, bytes, answer }] of open) {
      const elapsed = performance.now() - since;
      if (raw.complete) open.delete(raw);
      else if (elapsed > graceMs && (raw.socket.bytesRead - bytes) * 1000 < bytesPerSecond * elapsed) end(raw, answer);
    }
  };
  const timer = setInterval(look, everyMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** As Node answers a request that takes too long to arrive (RFC 9110 §15.5.9). */
function end({ socket }: IncomingMessage, answer: ServerResponse): void {
  // An answer that has begun, a refusal for instance, is not written into.
  if (socket.writable && !answer.headersSent)
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  socket.destroySoon();
}
