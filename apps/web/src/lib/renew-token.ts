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
 * gone then). One request at a time, over all tabs that are awake.
 */
export function renewToken(stale: string): Promise<boolean> {
  running ??= alone(() => renew(stale)).finally(() => {
    running = null;
  });
  return running;
}

/** A tab that was put to sleep in the middle of it would hold up all others for as long as it sleeps. */
const ANOTHER_TAB_MS = 5000;

/**
 * One tab after the other. Where that can't be, the server's grace for two at once does: browsers offer locks on secure addresses and
 * localhost only.
 */
async function alone(act: () => Promise<boolean>): Promise<boolean> {
  if (!('locks' in navigator)) return act();
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    return act();
  };
  return navigator.locks.request('lavra-refresh', { signal: AbortSignal.timeout(ANOTHER_TAB_MS) }, begin).catch((error: unknown) => {
    if (isBegun) throw error;
    return act();
  });
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
