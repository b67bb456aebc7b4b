/** What was done, told without a dialog; with an action it can be taken back. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; act(): void };
  /** The act was a key's: whoever pressed it finds the way back under the next key where the act took away what had the focus. */
  readonly byKeyboard: boolean;
}

let shown: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function show(toasts: readonly Toast[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

/** Tells at the edge of the window what has been done. To be called in the act itself: what then has the focus is looked at. */
export function showToast({ text, action }: Pick<Toast, 'text' | 'action'>): void {
  last += 1;
  const byKeyboard = document.activeElement?.matches(':focus-visible') ?? false;
  show([...shown, { id: last, text, byKeyboard, ...(action ? { action } : {}) }]);
}

export function dismissToast(id: number): void {
  show(shown.filter((toast) => toast.id !== id));
}

export function clearToasts(): void {
  show([]);
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly Toast[] {
  return shown;
}
