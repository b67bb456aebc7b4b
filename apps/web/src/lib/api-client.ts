import type { Body, Call, Params, Query, Reply } from '@lavra/api';
import { limits } from '@lavra/domain';
import { answeredCode } from './answered-code.ts';
import { logInBrowser } from './browser-log.ts';
import { shownLocale } from './i18n.ts';
import { ensureFreshToken, renewToken } from './renew-token.ts';
import { endHere } from './session.ts';
import { readToken } from './token.ts';
import { isSingleSignOn } from './single-sign-on.ts';
import { readWhole, watchStall } from './stalled.ts';

/** An answer that refuses. `code` is the key of its sentence in the locales. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly fieldErrors: readonly { field: string; message: string }[];
  /** What it is about (`contractType`); empty where the server named nothing. */
  readonly entityName: string;

  constructor(
    status: number,
    code: string,
    params: Record<string, string | number> = {},
    fieldErrors: readonly { field: string; message: string }[] = [],
    entityName = '',
  ) {
    super(code);
    this.status = status;
    this.code = code;
    this.params = params;
    this.fieldErrors = fieldErrors;
    this.entityName = entityName;
  }
}

export type Options<C extends Call> = (Params<C> extends undefined ? { params?: undefined } : { params: Params<C> }) &
  (Query<C> extends undefined ? { query?: undefined } : { query: Query<C> }) &
  (Body<C> extends undefined ? { body?: undefined } : { body: Body<C> }) & {
    signal?: AbortSignal;
    idempotencyKey?: string;
    /** Asked for before it is known whether the account may: a refusal ends nothing. */
    isAhead?: boolean;
    kept?: Kept;
  };

/** The last answer of a call that is asked again and again, and its tag: while it holds, the server need not send it anew. */
export interface Kept {
  tag: string | null;
  reply: unknown;
}

/** The address of a call with its parameters filled, for links and the PDF viewer. */
export function callAddress(
  call: Call,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `/${path}${search ? `?${search}` : ''}`;
}

export function authorizationHeaders(): Record<string, string> {
  const token = readToken();
  return { 'Accept-Language': shownLocale(), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

/** Makes a call of the wire. @throws ApiError (status 0: the server was not reached) */
export async function callApi<C extends Call>(call: C, options: Options<C>): Promise<Reply<C>> {
  const answer = await request(call, options);
  if (answer.status === 204 || answer.status === 205 || !call.reply) return undefined as Reply<C>;
  if (answer.status === 304) return options.kept?.reply as Reply<C>;
  const body = (await answer.json()) as unknown;
  if (options.kept) Object.assign(options.kept, { tag: answer.headers.get('ETag'), reply: body } satisfies Kept);
  if (call.kind !== 'list') return body as Reply<C>;
  const isTotalExact = answer.headers.get('X-Total-Exact') !== 'false';
  return { items: body, total: Number(answer.headers.get('X-Total-Count')), isTotalExact } as Reply<C>;
}

async function request(
  call: Call,
  options: {
    params?: unknown;
    query?: unknown;
    body?: unknown;
    signal?: AbortSignal;
    idempotencyKey?: string;
    isAhead?: boolean;
    kept?: Kept;
  },
): Promise<Response> {
  const address = callAddress(call, options.params as Record<string, string>, options.query as Record<string, unknown>);
  const tag = options.kept?.tag ?? null;
  // Its time begins when it is sent: a session may have been renewed before.
  const init = (): RequestInit => ({
    method: call.method,
    headers: {
      ...authorizationHeaders(),
      ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(options.idempotencyKey ? { 'Idempotency-Key': options.idempotencyKey } : {}),
      ...(tag === null ? {} : { 'If-None-Match': tag }),
    },
    signal: AbortSignal.any([AbortSignal.timeout(limits.requestTimeoutMs), ...(options.signal ? [options.signal] : [])]),
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  return fetchWithSession(address, options.signal, init, options.isAhead);
}

/**
 * Fetches with the session. A token is good for minutes: a refused one is renewed and the request, which the server did not
 * act on, sent again; without a token where the session is over, for open pages answer those too.
 */
async function fetchWithSession(
  address: string,
  signal: AbortSignal | undefined,
  init: () => RequestInit,
  isAhead = false,
): Promise<Response> {
  const refusal = isAhead ? (error: ApiError) => error : leftIfForbidden;
  await ensureFreshToken();
  const sent = readToken();
  try {
    const answer = await fetch(address, init());
    if (isAnswer(answer)) return answer;
    const error = await toError(answer);
    if (sent === null || !isStale(error)) throw refusal(error, sent);
    await renewToken(sent);
    const again = await fetch(address, init());
    if (isAnswer(again)) return again;
    throw refusal(await toError(again), readToken());
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError(0, 'error.server.not.reachable');
  }
}

/** Opens server-sent events. That they are refused ends nothing: whoever waits for them asks by itself as well. @throws ApiError */
export function openEvents(address: string, signal: AbortSignal): Promise<Response> {
  return fetchWithSession(address, signal, () => ({ headers: authorizationHeaders(), signal }), true);
}

/** What refuses nothing; 304 comes only to who sent a tag. */
const isAnswer = ({ ok, status }: Response) => ok || status === 304;

/** True for the answer to a token whose time, or whose session, is over. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code === 'request.unauthorized';
}

/**
 * An account that lacks the authority for what its pages ask is not the one that they were shown to: the session is left. In single
 * sign-on mode it is the provider's to mend, and only logged.
 */
export function leftIfForbidden<E>(error: E, sent: string | null): E {
  if (!(error instanceof ApiError) || error.status !== 403 || error.code !== 'request.forbidden' || sent === null) return error;
  if (!isSingleSignOn() && readToken() === sent) endHere();
  return error;
}

export interface ProblemBody {
  /** The code; `errorKey` has the specification's words in some places. */
  title?: string;
  params?: Record<string, string | number>;
  fieldErrors?: { field: string; message: string }[];
  entityName?: string;
}

async function toError(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => ({}))) as ProblemBody;
  return refused(answer.status, body, answer.headers.get('X-app-error'));
}

/** A refusal as it is told, of whatever was sent. */
export function refused(status: number, body: ProblemBody, header: string | null): ApiError {
  const code = answeredCode(status, body.title, header);
  if (status === 403 && isSingleSignOn()) logInBrowser('not authorized', code);
  return new ApiError(status, code, body.params, body.fieldErrors, body.entityName);
}

/** The body of a file that is fetched with the session, however slowly it comes. @throws ApiError (status 0: it came no further) */
async function fetchWhole(address: string, init: () => RequestInit): Promise<Blob> {
  const stopped = new AbortController();
  const stall = watchStall(() => stopped.abort());
  try {
    const answer = await fetchWithSession(address, undefined, () => ({ ...init(), signal: stopped.signal }));
    return await readWhole(answer, stall.moved);
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, 'error.server.not.reachable');
  } finally {
    stall.end();
  }
}

/** Fetches a file with the session, or its first `bytes`, and hands it to the browser under its name. */
export async function saveFile(address: string, name: string, bytes?: number): Promise<void> {
  const range = bytes === undefined ? {} : { Range: `bytes=0-${bytes - 1}` };
  saveBlob(await fetchWhole(address, () => ({ headers: { ...authorizationHeaders(), ...range } })), name);
}

/** The same of a file that is asked for with a body: what it is about stands in no address. */
export async function saveAskedFile(call: Call, body: unknown, name: string): Promise<void> {
  const asked = { method: call.method, body: JSON.stringify(body) };
  const headers = () => ({ ...authorizationHeaders(), 'Content-Type': 'application/json' });
  saveBlob(await fetchWhole(callAddress(call), () => ({ ...asked, headers: headers() })), name);
}

/** Fetches a file with the session, to go on with it here. */
export async function fetchFile(address: string, name: string): Promise<File> {
  const whole = await fetchWhole(address, () => ({ headers: authorizationHeaders() }));
  return new File([whole], name, { type: 'application/pdf' });
}

/** Hands bytes to the browser as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
