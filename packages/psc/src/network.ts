import { PscError } from './errors.ts';
import type { PscErrorCode } from './errors.ts';
import type { LocatedPsc } from './configure.ts';

/** What of `fetch` is needed; `fetch` itself fits. */
export type PscFetch = (url: string, init: PscRequest) => Promise<PscResponse>;

export interface PscRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** A provider has no reason to send our secrets elsewhere. */
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface PscResponse {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The world outside, handed in. */
export interface PscOutside {
  readonly fetch: PscFetch;
  readonly now: () => Date;
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array;
}

export interface Call {
  readonly psc: LocatedPsc;
  /** Short name for logs: `token`. */
  readonly call: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly bearer?: string;
  readonly deadlineMs: number;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** More than any certificate chain or batch of signatures takes. */
const maxAnswer = 4 << 20;

/** The one place that goes out, with deadline and size limit. Throws PSC_UNREACHABLE, PSC_TIMEOUT, PSC_BAD_ANSWER (too long). */
export async function send(outside: Pick<PscOutside, 'fetch'>, call: Call): Promise<Reply> {
  const abort = new AbortController();
  // Raced as well as signalled: a network that ignores the signal must not keep a signer waiting.
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new PscError('PSC_TIMEOUT', call.psc.id, { call: call.call }));
    abort.abort();
  }, call.deadlineMs);
  try {
    return await Promise.race([exchange(outside, call, abort.signal), late]);
  } catch (error) {
    if (error instanceof PscError) throw error;
    throw failure(call, 'PSC_UNREACHABLE', {}, error);
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

export function failure(
  { psc, call }: Pick<Call, 'psc' | 'call'>,
  code: PscErrorCode,
  details: Record<string, string | number> = {},
  cause?: unknown,
): PscError {
  return new PscError(code, psc.id, { call, ...details }, cause);
}

async function exchange({ fetch }: Pick<PscOutside, 'fetch'>, call: Call, signal: AbortSignal): Promise<Reply> {
  const { body, type } = bodyOf(call);
  const response = await fetch(call.url, {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      accept: 'application/json',
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(call.bearer === undefined ? {} : { authorization: `Bearer ${call.bearer}` }),
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    signal,
  });
  return { status: response.status, text: await textOf(response, call) };
}

function bodyOf({ json, form }: Call): { body?: string; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form !== undefined) return { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' };
  return {};
}

async function textOf({ body }: PscResponse, call: Call): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > maxAnswer) throw failure(call, 'PSC_BAD_ANSWER', { longer: maxAnswer });
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
