/** At once where nothing need be read: most of what is asked is known, and waiting for each of it takes longer than finding it. */
export type Awaitable<T> = T | Promise<T>;

/** Goes on at once with what is there. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
