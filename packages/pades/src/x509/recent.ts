import { latin1Text } from '../pdf/objects.ts';

/** What was made of some bytes, by what they are: the newest, and only of bytes that are not large. */
export class Recent<T> {
  readonly #known = new Map<string, T>();
  readonly #most: number;
  readonly #mostBytes: number;

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  /** What is known of these bytes, or made of them now; what `make` throws goes through, and nothing is kept. */
  get(bytes: Uint8Array, make: (bytes: Uint8Array) => T): T {
    if (bytes.length > this.#mostBytes) return make(bytes);
    const content = latin1Text(bytes);
    const known = this.#known;
    // Of bytes that nobody else writes into.
    const value = known.get(content) ?? make(bytes.slice());
    // What is asked for again goes behind the others: the oldest is the one that goes.
    known.delete(content);
    known.set(content, value);
    if (known.size > this.#most) known.delete(known.keys().next().value ?? '');
    return value;
  }
}
