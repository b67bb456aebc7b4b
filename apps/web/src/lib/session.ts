import { useSyncExternalStore } from 'react';

/** The Bearer token: local storage with remember-me, session storage otherwise (the specification's key). */
const KEY = 'jhi-authenticationToken';
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

export function readToken(): string | null {
  return localStorage.getItem(KEY) ?? sessionStorage.getItem(KEY);
}

export function keepToken(token: string, remember: boolean): void {
  clearToken();
  (remember ? localStorage : sessionStorage).setItem(KEY, token);
  changed();
}

export function clearToken(): void {
  localStorage.removeItem(KEY);
  sessionStorage.removeItem(KEY);
  changed();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function useToken(): string | null {
  return useSyncExternalStore(subscribe, readToken);
}
