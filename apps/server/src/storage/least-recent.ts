/**
 * A copy that can be kept: a small Buffer, or a part of one, keeps the memory of the whole that it was cut from, a thousand times its
 * own as the case may be, which no cache counts.
 */
export function inMemoryOfItsOwn(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/** LRU cache: remembers up to a weight, and forgets first what was not asked for longest. */
export class LeastRecent<Value> {
  readonly #kept = new Map<string, { value: Value; weight: number }>();
  readonly #capacity: number;
  #weight = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const found = this.#kept.get(key);
    if (!found) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.value;
  }

  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const found = this.#kept.get(key);
    if (!found) return;
    this.#kept.delete(key);
    this.#weight -= found.weight;
  }
}
