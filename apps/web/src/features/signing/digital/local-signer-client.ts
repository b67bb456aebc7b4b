import {
  type LocalSignerFault,
  localSignerFault,
  type LocalSignerGreeted,
  localSignerGreeted,
  localSignerPorts,
  localSignerProof,
  localSignerProtocol,
  type LocalSignerSession,
  localSignerSession,
  localSignerVersion,
} from '@lavra/api';

/**
 * Why LAVRA_SIGNER did not do it. ABSENT: on none of its ports; DENIED: the browser may not ask there; GONE: it stopped answering; OUTDATED: it
 * speaks as before; KEY_CHANGED: not the one this browser knows; CODE_OTHER: its window does not show our code.
 */
export class LocalSignerError extends Error {
  readonly code: LocalSignerFault | 'ABSENT' | 'DENIED' | 'GONE' | 'OUTDATED' | 'KEY_CHANGED' | 'CODE_OTHER';

  constructor(code: LocalSignerError['code']) {
    super(code);
    this.code = code;
  }
}

const POLL_MS = 1_000;
const ANSWER_MS = 3_000;
const PERMISSION_MS = 120_000;
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

/**
 * The ports on which a program answers that speaks as this page does. Only ever on a click: another user's program, or anything else, may be
 * among them. @throws LocalSignerError (ABSENT, DENIED, OUTDATED, OTHER_USER)
 */
export async function findLocalSigners(signal: AbortSignal): Promise<number[]> {
  const search = new AbortController();
  const stop = () => search.abort();
  // While the browser asks the person, the requests wait for the answer; once one is answered, what stays silent keeps nobody waiting.
  const timers = [setTimeout(stop, (await localAccess()) === 'granted' ? ANSWER_MS : PERMISSION_MS)];
  const limit = AbortSignal.any([signal, search.signal]);
  const answers = await Promise.all(
    localSignerPorts.map(async (port) => {
      const is = await whatAnswers(port, limit);
      if (is) timers.push(setTimeout(stop, ANSWER_MS));
      return { port, is };
    }),
  );
  for (const timer of timers) clearTimeout(timer);
  signal.throwIfAborted();
  const ready = answers.filter(({ is }) => is === 'READY').map(({ port }) => port);
  if (ready.length > 0) return ready;
  if ((await localAccess()) === 'denied') throw new LocalSignerError('DENIED');
  for (const other of ['OUTDATED', 'OTHER_USER'] as const) if (answers.some(({ is }) => is === other)) throw new LocalSignerError(other);
  throw new LocalSignerError('ABSENT');
}

async function whatAnswers(port: number, signal: AbortSignal): Promise<'READY' | 'OUTDATED' | 'OTHER_USER' | null> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/version`, { signal, cache: 'no-store' }).catch(() => null);
  const said: unknown = await answer?.json().catch(() => null);
  if (answer?.status === 403 && (said as { code?: unknown } | null)?.code === 'OTHER_USER') return 'OTHER_USER';
  const version = localSignerVersion.safeParse(said);
  if (!answer?.ok || !version.success) return null;
  return version.data.protocol === localSignerProtocol ? 'READY' : 'OUTDATED';
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

const json = (body: object) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** Begins with a program: the session's address and what it said of itself. @throws LocalSignerError */
export async function greet(
  port: number,
  commitment: string,
  signal: AbortSignal,
): Promise<{ session: string; greeted: LocalSignerGreeted }> {
  const sessions = `http://127.0.0.1:${port}/v2/sessions`;
  const answer = await send(sessions, { ...json({ commitment }), signal });
  const greeted = localSignerGreeted.safeParse(await answer.json().catch(() => null));
  if (!greeted.success) throw new LocalSignerError('GONE');
  return { session: `${sessions}/${greeted.data.session}`, greeted: greeted.data };
}

/** The program's signature under the meeting; `show`: its window opens with the code. @throws LocalSignerError */
export async function prove(session: string, nonce: string, show: boolean, signal: AbortSignal): Promise<string> {
  const answer = await send(`${session}/meeting`, { ...json({ nonce, show }), signal });
  const proof = localSignerProof.safeParse(await answer.json().catch(() => null));
  return proof.success ? proof.data.signature : '';
}

/** Hands in the first request. @throws LocalSignerError */
export async function askForCertificate(session: string, request: string, signal: AbortSignal): Promise<void> {
  await send(`${session}/certificate`, { ...json({ request }), signal });
}

/** Hands in the second request. @throws LocalSignerError */
export async function askToSign(session: string, request: string, signal: AbortSignal): Promise<void> {
  await send(`${session}/sign`, { ...json({ request }), signal });
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
