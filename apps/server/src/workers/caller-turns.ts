/** Fair queue (round robin): what waits, in turns of those who asked, so that who asks for much waits for himself. */
export class CallerTurns<Item> {
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  /** Of all callers together. */
  get size(): number {
    return this.#size;
  }

  /** How much of one caller waits. */
  waitingOf(caller: string): number {
    return this.#queues.get(caller)?.length ?? 0;
  }

  add(caller: string, item: Item): void {
    this.#queues.set(caller, [...(this.#queues.get(caller) ?? []), item]);
    this.#size += 1;
  }

  /** The oldest of whoever was not served for longest; that caller then stands behind the others. */
  next(): Item | undefined {
    for (const [caller, queue] of this.#queues) {
      const item = queue.shift();
      this.#queues.delete(caller);
      if (queue.length > 0) this.#queues.set(caller, queue);
      if (item === undefined) continue;
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes one out that waits no longer. */
  remove(caller: string, item: Item): void {
    const queue = this.#queues.get(caller) ?? [];
    const left = queue.filter((other) => other !== item);
    if (left.length > 0) this.#queues.set(caller, left);
    else this.#queues.delete(caller);
    this.#size -= queue.length - left.length;
  }
}
