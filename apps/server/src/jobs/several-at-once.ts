/** So many documents of one act: what each waits for outside (a timestamp, a list) is asked for at once. */
const AT_ONCE = 3;

/**
 * Does it with each of them, and answers in their order: the first alone, which finds out what cannot be had and fetches what all need, then some at
 * once. Once one has failed no other is begun; those that are under way come to their
 * end before the fault of the first that failed, in their order, is thrown: nothing of it goes on behind its caller's back.
 */
export async function severalAtOnce<Item, Made>(items: readonly Item[], act: (item: Item) => Promise<Made>): Promise<Made[]> {
  const done: ({ made: Made } | { fault: unknown } | undefined)[] = [];
  let next = 0;
  let isFailed = false;
  const work = async (end = items.length) => {
    while (next < end && !isFailed) {
      const index = next;
      next += 1;
      try {
        done[index] = { made: await act(items[index] as Item) };
      } catch (fault) {
        isFailed = true;
        done[index] = { fault };
      }
    }
  };
  await work(Math.min(1, items.length));
  await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
  return done.slice(0, next).map((one) => {
    if (one && 'made' in one) return one.made;
    throw one?.fault;
  });
}
