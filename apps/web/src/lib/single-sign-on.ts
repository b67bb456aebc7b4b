/** Where people sign in: known before the first page is drawn, and the same until the page is loaded anew. */
let on = false;

export function setSingleSignOn(value: boolean): void {
  on = value;
}

/** True where one provider knows everybody and the sign-in page is off. */
export function isSingleSignOn(): boolean {
  return on;
}

const KEY = 'lavra-return-to';

/** A page of ours, and what it was given: a draft's id, for one. */
export interface ReturnTo {
  from?: string;
  fromState?: unknown;
}

/** Remembers, in this tab, where its user was going when they were sent to the provider. */
export function keepReturnTo({ from, fromState }: ReturnTo): void {
  if (from === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify({ from, fromState }));
}

/** Once. */
export function takeReturnTo(): ReturnTo {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return kept === null ? {} : (JSON.parse(kept) as ReturnTo);
}
