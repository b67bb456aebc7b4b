import type { Call } from '@lavra/api';
import { ApiError, authorizationHeaders, callAddress, isStale, leftIfForbidden, type ProblemBody, refused } from './api-client.ts';
import { ensureFreshToken, renewToken } from './renew-token.ts';
import { watchStall } from './stalled.ts';
import { readToken } from './token.ts';

interface UploadOptions {
  idempotencyKey?: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  /** Sent before the file. */
  fields?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  onProgress(part: number): void;
}

/** Sends files with progress (0 to 1); `fetch` cannot tell how much went out. */
export async function uploadFile<T>(call: Call, file: File, options: UploadOptions): Promise<T> {
  await ensureFreshToken();
  const sent = readToken();
  try {
    return await sendFile<T>(call, file, options);
  } catch (error) {
    if (sent === null || !isStale(error) || !(await renewToken(sent))) throw leftIfForbidden(error, sent);
    return sendFile<T>(call, file, options);
  }
}

function sendFile<T>(call: Call, file: File, options: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    options.signal?.throwIfAborted();
    const form = new FormData();
    for (const [name, value] of Object.entries(options.fields ?? {})) form.append(name, value);
    form.append('files', file, file.name);
    const xhr = new XMLHttpRequest();
    xhr.open(call.method, callAddress(call, options.params, options.query));
    const key = options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {};
    for (const [name, value] of Object.entries({ ...authorizationHeaders(), ...key })) xhr.setRequestHeader(name, value);
    xhr.responseType = 'json';
    const stall = watchStall(() => xhr.abort());
    xhr.upload.onprogress = (event) => {
      stall.moved();
      options.onProgress(event.lengthComputable ? event.loaded / event.total : 0);
    };
    xhr.onprogress = stall.moved;
    xhr.onloadend = stall.end;
    xhr.onerror = xhr.onabort = () => reject(new ApiError(0, 'error.server.not.reachable'));
    xhr.onload = () => {
      if (xhr.status < 300) return resolve(xhr.response as T);
      reject(refused(xhr.status, (xhr.response ?? {}) as ProblemBody, xhr.getResponseHeader('X-app-error')));
    };
    options.signal?.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(form);
  });
}
