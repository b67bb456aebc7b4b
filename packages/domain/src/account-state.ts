/**
 * `notActivated`: its address is not confirmed; whoever registers it next replaces it, and a while later it is gone. `active`: may be
 * entered. `deactivated`: an administrator shut it; no registration, mailed link or sign-in opens it, only an administrator does.
 * `erased`: its person's data were erased, and nothing opens it; what is left is the id that others' evidence names.
 */
export type AccountState = 'notActivated' | 'active' | 'deactivated' | 'erased';

/** The state of an account by what is kept of it. */
export function accountState(kept: { activated: boolean; deactivatedAt: Date | null; erasedAt: Date | null }): AccountState {
  if (kept.erasedAt !== null) return 'erased';
  if (kept.deactivatedAt !== null) return 'deactivated';
  return kept.activated ? 'active' : 'notActivated';
}
