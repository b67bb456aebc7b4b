import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { StreamedFile } from '../storage/streamed-file.ts';
import { multipartRanges, parseRange, parseRanges } from './byte-ranges.ts';

/** Sends a file with ranges (RFC 9110 §14: one, or several in their order) and validators. Never cached by others. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StreamedFile,
  disposition: 'inline' | 'attachment' = 'attachment',
): FastifyReply {
  const etag = `"${file.etag}"`;
  void reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-cache')
    .header('content-type', file.contentType)
    .header('content-disposition', contentDisposition(disposition, file.name));
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const ifRange = request.headers['if-range'];
  const asked = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = parseRange(asked, file.size);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${file.size}`).send();
  if (range) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
    return body(reply, file, range.start, range.end - range.start + 1);
  }
  const ranges = parseRanges(asked, file.size);
  if (!ranges) return body(reply, file, 0, file.size);
  const parts = multipartRanges(ranges, { ...file, boundary: randomUUID() }, ({ start, end }) => file.stream(start, end - start + 1));
  return reply
    .code(206)
    .header('content-type', parts.contentType)
    .header('content-length', parts.length)
    .send(Readable.from(parts.body, { objectMode: false }));
}

function body(reply: FastifyReply, file: StreamedFile, offset: number, length: number): FastifyReply {
  return reply
    .header('content-length', length)
    .send(Readable.from(file.stream(offset, length), { objectMode: false, highWaterMark: 256 * 1024 }));
}

/** RFC 6266, with the plain-letters fallback for old programs. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\]/g, '_');
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`)}`;
}
