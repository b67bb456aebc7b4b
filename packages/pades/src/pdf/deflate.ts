import { inflateTolerant } from './inflate.ts';

interface Zlib {
  inflateSync(bytes: Uint8Array, options: object): Uint8Array;
  deflateSync(bytes: Uint8Array): Uint8Array;
  constants: { Z_SYNC_FLUSH: number };
}

/** Node's zlib without importing it, so that the same file runs in a browser. */
function nativeZlib(): Zlib | null {
  const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  return (host.process?.getBuiltinModule?.('node:zlib') as Zlib | undefined) ?? null;
}

const zlib = nativeZlib();

/** Inflates zlib data to at most `limit` bytes; cut or damaged data gives what could be read; more than `limit` is null. */
export function inflate(data: Uint8Array, limit: number): Uint8Array | null {
  if (zlib !== null) {
    try {
      return zlib.inflateSync(data, {
        maxOutputLength: limit,
        // One piece as a rule: joining dozens of small ones costs more than inflating them.
        chunkSize: Math.min(1 << 20, Math.max(16 << 10, data.length * 4)),
        finishFlush: zlib.constants.Z_SYNC_FLUSH,
      });
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    }
  }
  return inflateTolerant(data, limit);
}

/** Zlib-compresses with whatever the platform has. */
export async function deflate(data: Uint8Array): Promise<Uint8Array> {
  if (zlib !== null) return new Uint8Array(zlib.deflateSync(data));
  const stream = new Blob([data as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
