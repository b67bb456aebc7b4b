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
      const body = new Uint8Array(await answer.arrayBuffer());
      if (body.length > MAX_BYTES) throw new Error('timestamp authority answered too much');
      return body;
    },
  };
}
