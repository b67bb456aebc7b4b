import { type LocalSignerFault, localSignerFault, localSignerPorts, type LocalSignerSession, localSignerSession } from '@lavra/api';

/** Why LAVRA_SIGNER did not do it. ABSENT: on none of its ports; DENIED: the browser may not ask there; GONE: it stopped answering. */
export class LocalSignerError extends Error {
  readonly code: LocalSignerFault | 'ABSENT' | 'DENIED' | 'GONE';

  constructor(code: LocalSignerError['code']) {
    super(code);
    this.code = code;
  }
}

const POLL_MS = 1_000;
/** How often in a row it may fail to answer before it counts as gone. */
const MISSES = 5;

/** What Chromium says of this page asking programs of this computer; other browsers do not ask ('granted'). */
export async function localAccess(): Promise<PermissionState> {
  for (const name of ['loopback-network', 'local-network-access']) {
    const found = await navigator.permissions?.query({ name: name as PermissionName }).catch(() => null);
    if (found) return found.state;
  }
  return 'granted';
}

/** Looks for the program on its ports. Only ever on a click. @throws LocalSignerError (ABSENT, DENIED) */
export async function findLocalSigner(signal: AbortSignal): Promise<string> {
  // While the browser asks the person, the request waits for the answer.
  const patience = (await localAccess()) === 'granted' ? 3_000 : 120_000;
  for (const port of localSignerPorts) {
    const base = `http://127.0.0.1:${port}`;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    const answer = await fetch(`${base}/v1/version`, { signal: limit, cache: 'no-store' }).catch(() => null);
    signal.throwIfAborted();
    const said: unknown = answer?.ok ? await answer.json().catch(() => null) : null;
    if (said && (said as { name?: unknown }).name === 'LAVRA_SIGNER') return base;
    if ((await localAccess()) === 'denied') throw new LocalSignerError('DENIED');
  }
  throw new LocalSignerError('ABSENT');
}

/** @throws LocalSignerError */
async function send(address: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(address, { cache: 'no-store', ...init }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new LocalSignerError('GONE');
  });
  if (answer.ok) return answer;
  const body = (await answer.json().catch(() => null)) as { code?: unknown } | null;
  const code = localSignerFault.safeParse(body?.code);
  throw new LocalSignerError(code.success ? code.data : 'GONE');
}

const json = (request: string) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ request }) });

/** Hands in the first request; answers the session's address. @throws LocalSignerError */
export async function openSession(base: string, request: string, signal: AbortSignal): Promise<string> {
  const answer = await send(`${base}/v1/sessions`, { ...json(request), signal });
  const { session } = (await answer.json()) as { session: string };
  return `${base}/v1/sessions/${encodeURIComponent(session)}`;
}

/** Hands in the second request. @throws LocalSignerError */
export async function askToSign(session: string, request: string, signal: AbortSignal): Promise<void> {
  await send(`${session}/sign`, { ...json(request), signal });
}

/** Waits while a person looks at the program's window. @throws LocalSignerError (what it failed with, or GONE) */
export async function waitFor<S extends 'certificate' | 'signed'>(
  session: string,
  state: S,
  signal: AbortSignal,
): Promise<Extract<LocalSignerSession, { state: S }>> {
  for (let misses = 0; ;) {
    await pause(POLL_MS, signal);
    const answer = await send(session, { signal }).catch((error: unknown) => {
      misses += 1;
      if (signal.aborted || misses >= MISSES || !(error instanceof LocalSignerError) || error.code !== 'GONE') throw error;
      return null;
    });
    if (!answer) continue;
    misses = 0;
    const read = localSignerSession.safeParse(await answer.json().catch(() => null));
    if (!read.success) throw new LocalSignerError('GONE');
    if (read.data.state === 'failed') throw new LocalSignerError(read.data.code);
    if (read.data.state === state) return read.data as Extract<LocalSignerSession, { state: S }>;
  }
}

/** Gives up: the program closes its window. Nothing depends on it having heard. */
export function closeSession(session: string): void {
  void fetch(session, { method: 'DELETE', keepalive: true }).catch(() => {});
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
