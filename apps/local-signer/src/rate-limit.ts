/** At most `most` calls a name in every `milliseconds`; windows start with a name's first call. */
export class RateLimit {
  readonly #most: number;
  readonly #milliseconds: number;
  readonly #counts = new Map<string, { since: number; calls: number }>();

  constructor(most: number, milliseconds: number) {
    this.#most = most;
    this.#milliseconds = milliseconds;
  }

  /** Counts a call; false when it is one too many. */
  allows(name: string, now: number): boolean {
    for (const [known, { since }] of this.#counts) if (now - since >= this.#milliseconds) this.#counts.delete(known);
    const entry = this.#counts.get(name) ?? { since: now, calls: 0 };
    entry.calls += 1;
    this.#counts.set(name, entry);
    return entry.calls <= this.#most;
  }
}
