import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';

const PACKED_FROM = 4096;
/** Nearly the smallest, in a tenth of its time. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** What every visitor gets alike, made once. */
export interface PublicAnswer {
  type: string;
  body: Buffer;
  /** By encoding, the better one first, where that saves enough to be worth it. */
  packed: { br?: Buffer; gzip?: Buffer };
  etag: string;
}

export function publicAnswer(type: string, body: Uint8Array | string): PublicAnswer {
  const bytes = Buffer.from(body);
  return answerOf(type, bytes, bytes.length < PACKED_FROM ? {} : packedWhenAsked(bytes));
}

/** A start makes some of them, and each visitor takes one encoding: it is packed for the first who does. */
function packedWhenAsked(bytes: Buffer): PublicAnswer['packed'] {
  let br: Buffer | undefined;
  let gzipped: Buffer | undefined;
  return {
    get br() {
      return (br ??= brotliCompressSync(bytes, brotli));
    },
    get gzip() {
      return (gzipped ??= gzipSync(bytes));
    },
  };
}

/** The same for megabytes, which are packed beside everything else; once, as they are held too. */
export async function packedAnswer(type: string, body: Uint8Array): Promise<PublicAnswer> {
  const bytes = Buffer.from(body);
  return answerOf(type, bytes, bytes.length < PACKED_FROM ? {} : { gzip: await promisify(gzip)(bytes) });
}

function answerOf(type: string, bytes: Buffer, packed: PublicAnswer['packed']): PublicAnswer {
  return { type, body: bytes, packed, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 20)}"` };
}
