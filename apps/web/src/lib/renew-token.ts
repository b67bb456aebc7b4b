import { limits } from '@lavra/domain';
import { refreshSession } from '@lavra/api';
import { endHere, hasLeft, isAging, replaceToken } from './session.ts';
import { readToken } from './token.ts';

let running: Promise<boolean> | null = null;

/** Renews a token whose time is nearly over before a request carries it; whoever cannot be reached is told by the request itself. */
export async function ensureFreshToken(): Promise<void> {
  const token = readToken();
  if (token !== null && isAging(token)) await renewToken(token).catch(() => {});
}

/** Renews a token that has less time left than this, while nobody asks for anything; a server that is away is asked again later. */
export async function keepTokenFresh(windowMs: number): Promise<void> {
  const token = readToken();
  if (token !== null && hasLeft(token) < windowMs) await renewToken(token).catch(() => {});
}

/**
 * A fresh token in place of a stale one: true when there is another one now, false when the session is over (the token is
 * gone then). One request at a time, over all tabs.
 */
export function renewToken(stale: string): Promise<boolean> {
  // Browsers offer locks on secure addresses and localhost; elsewhere the server's grace for two at once does.
  const alone = (act: () => Promise<boolean>) => ('locks' in navigator ? navigator.locks.request('lavra-refresh', act) : act());
  running ??= Promise.resolve(alone(() => renew(stale))).finally(() => {
    running = null;
  });
  return running;
}

async function renew(stale: string): Promise<boolean> {
  const held = readToken();
  if (held !== stale) return held !== null;
  const answer = await fetch(`/${refreshSession.path}`, {
    method: refreshSession.method,
    headers: { Authorization: `Bearer ${stale}` },
    signal: AbortSignal.timeout(limits.requestTimeoutMs),
  });
  if (answer.status === 401) {
    if (readToken() === stale) endHere();
    return false;
  }
  if (!answer.ok) throw new Error(`the session could not be renewed: ${answer.status}`);
  replaceToken(stale, ((await answer.json()) as { id_token: string }).id_token);
  return true;
}
