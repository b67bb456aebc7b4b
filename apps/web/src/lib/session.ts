import { useSyncExternalStore } from 'react';
import { KEY, readToken } from './token.ts';

const listeners = new Set<() => void>();
/** When this page was given the token: the server's clock and the browser's need not agree. */
let received: { token: string; at: number } | null = null;
/** It ended by itself, or somebody ended it: the sign-in page says so. */
let over = false;

function changed(): void {
  for (const listener of listeners) listener();
}

export function keepToken(token: string, remember: boolean): void {
  clearToken();
  (remember ? localStorage : sessionStorage).setItem(KEY, token);
  received = { token, at: Date.now() };
  changed();
}

/** Puts a fresh token of the same session where the old one stands; not when somebody signed out or in meanwhile. */
export function replaceToken(old: string, fresh: string): void {
  const storage = [localStorage, sessionStorage].find((one) => one.getItem(KEY) === old);
  if (!storage) return;
  storage.setItem(KEY, fresh);
  received = { token: fresh, at: Date.now() };
  changed();
}

/** Signs out here: nobody is told that anything ended. */
export function clearToken(): void {
  over = false;
  localStorage.removeItem(KEY);
  sessionStorage.removeItem(KEY);
  changed();
}

/** The server takes the session no more: nobody is signed in here, and they are told why. */
export function endHere(): void {
  clearToken();
  over = true;
  changed();
}

/** True until somebody signs in again. */
export function useSessionOver(): boolean {
  return useSyncExternalStore(subscribe, () => over);
}

/** True when little of a token's time is left. Where this page did not receive it, by the browser's clock. */
export function isAging(token: string): boolean {
  const { iat, exp } = claimsOf(token);
  if (iat === undefined || exp === undefined) return false;
  if (received?.token === token) return Date.now() - received.at > (exp - iat) * 800;
  return hasLeft(token) < 60_000;
}

/** Milliseconds of a token's time, by the same clock; one without an end has them all. */
export function hasLeft(token: string): number {
  const { iat, exp } = claimsOf(token);
  if (iat === undefined || exp === undefined) return Number.POSITIVE_INFINITY;
  return received?.token === token ? received.at + (exp - iat) * 1000 - Date.now() : exp * 1000 - Date.now();
}

function claimsOf(token: string): { sid?: string; iat?: number; exp?: number } {
  try {
    return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as { sid?: string };
  } catch {
    return {};
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Of the session that this browser holds a token of; the same however often the token is renewed. Null: nobody is signed in. */
export function sessionId(): string | null {
  const token = readToken();
  return token === null ? null : (claimsOf(token).sid ?? token);
}

export function useSessionId(): string | null {
  return useSyncExternalStore(subscribe, sessionId);
}
