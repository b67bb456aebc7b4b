import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { StreamedFile } from '../storage/streamed-file.ts';

/** Sends a file with ranges (RFC 9110 §14: one range; several are answered whole) and validators. Never cached by others. */
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
  const range = ifRange === undefined || ifRange === etag ? parseRange(request.headers.range, file.size) : null;
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${file.size}`).send();
  if (range) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
    return body(reply, file, range.start, range.end - range.start + 1);
  }
  return body(reply, file, 0, file.size);
}

function body(reply: FastifyReply, file: StreamedFile, offset: number, length: number): FastifyReply {
  return reply
    .header('content-length', length)
    .send(Readable.from(file.stream(offset, length), { objectMode: false, highWaterMark: 256 * 1024 }));
}

/** One `bytes=` range; null when there is none or several, so that the whole is sent. */
export function parseRange(header: string | undefined, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return null;
  if (found[1] === '') {
    const length = Math.min(Number(found[2]), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(found[1]);
  const end = found[2] === '' ? size - 1 : Math.min(Number(found[2]), size - 1);
  if (start >= size || end < start) return 'unsatisfiable';
  return { start, end };
}

/** RFC 6266, with the plain-letters fallback for old programs. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\]/g, '_');
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`)}`;
}
