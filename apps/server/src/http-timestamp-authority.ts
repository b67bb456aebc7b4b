import type { TimestampAuthority } from './context.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;

/** RFC 3161 §3.4: the request by POST. The address comes from the configuration, never from a document. */
export function httpTimestampAuthority(
  url: string,
  anchors: readonly Uint8Array[],
  material: TimestampAuthority['material'],
): TimestampAuthority {
  return {
    anchors,
    material,
    async timestamp(request) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
        body: Buffer.from(request),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!answer.ok) throw new Error(`timestamp authority answered ${answer.status}`);
      return readBounded(answer);
    },
  };
}

/** Counted while it comes in: the deadline of the call goes on, and what is too much is never held. */
async function readBounded(answer: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > MAX_BYTES) throw new Error('timestamp authority answered too much');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
