/** The Bearer token: local storage with remember-me, session storage otherwise (the specification's key). */
export const KEY = 'jhi-authenticationToken';

export function readToken(): string | null {
  return localStorage.getItem(KEY) ?? sessionStorage.getItem(KEY);
}
