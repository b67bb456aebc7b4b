const mostInWindow = 3;
const memoryMilliseconds = 60 * 60_000;
const firstWait = 60_000;
const longestWait = 30 * 60_000;

/**
 * Wrong PINs of each token, over all windows: after every third one the token is let alone for a while, each time for longer, so that opening another
 * window gains nothing. The token's own counter stays the true limit; some have none.
 */
export class PinTries {
  readonly #wrong = new Map<string, { count: number; at: number }>();

  /** Counted before the token is asked: several windows may ask at once. */
  begin(token: string, now: number): void {
    this.#forget(now);
    this.#wrong.set(token, { count: (this.#wrong.get(token)?.count ?? 0) + 1, at: now });
  }

  /** How the try that began has ended. A right PIN clears the token; what was no answer about the PIN does not count. */
  end(token: string, outcome: 'right' | 'wrong' | 'unknown'): void {
    const entry = this.#wrong.get(token);
    if (entry === undefined || outcome === 'wrong') return;
    const count = outcome === 'right' ? 0 : entry.count - 1;
    if (count <= 0) this.#wrong.delete(token);
    else this.#wrong.set(token, { ...entry, count });
  }

  /** Whether the token is to be let alone now. */
  isResting(token: string, now: number): boolean {
    const { count, at } = this.#wrong.get(token) ?? { count: 0, at: 0 };
    const rounds = Math.floor(count / mostInWindow);
    return rounds > 0 && now < at + Math.min(longestWait, firstWait * 2 ** (rounds - 1));
  }

  #forget(now: number): void {
    for (const [token, { at }] of this.#wrong) if (now - at >= memoryMilliseconds) this.#wrong.delete(token);
  }
}

/** Wrong PINs that a window takes. */
export const triesOfWindow = mostInWindow;
