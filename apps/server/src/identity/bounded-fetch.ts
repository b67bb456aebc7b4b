import type { CustomFetch } from 'openid-client';

/** Of one answer: metadata, keys and claims take some kilobytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * A provider's answer, whole and not larger than it can rightly be. Redirects are not followed: a code or a secret goes where the
 * metadata said and nowhere else.
 */
export const boundedFetch: CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new TypeError(`an answer of over ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const empty = size === 0 || [101, 103, 204, 205, 304].includes(status);
  return new Response(empty ? null : Buffer.concat(chunks), { status, statusText, headers });
};
