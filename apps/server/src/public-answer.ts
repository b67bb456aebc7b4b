import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

const GZIP_FROM = 4096;

/** What every visitor gets alike, made once. */
export interface PublicAnswer {
  type: string;
  body: Buffer;
  /** Where that saves enough to be worth it. */
  gzipped: Buffer | null;
  etag: string;
}

export function publicAnswer(type: string, body: Uint8Array | string): PublicAnswer {
  const bytes = Buffer.from(body);
  return answerOf(type, bytes, bytes.length < GZIP_FROM ? null : gzipSync(bytes));
}

/** The same for megabytes, which are packed beside everything else. */
export async function packedAnswer(type: string, body: Uint8Array): Promise<PublicAnswer> {
  const bytes = Buffer.from(body);
  return answerOf(type, bytes, bytes.length < GZIP_FROM ? null : await promisify(gzip)(bytes));
}

function answerOf(type: string, bytes: Buffer, gzipped: Buffer | null): PublicAnswer {
  return { type, body: bytes, gzipped, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 20)}"` };
}
