import type { Ctx } from '../../context.ts';
import type { PublicAnswer } from '../../public-answer.ts';

/** A list as it is sent, and until when (milliseconds). */
export interface HeldList {
  answer: PublicAnswer;
  until: number;
}

/** In the memory of one program, so that a list of megabytes is read, checked and packed once in a while; the database has it for all. */
const HELD_BYTES = 64 * 1024 * 1024;

interface Shelf {
  lists: Map<string, HeldList & { since: number }>;
  fetching: Map<string, Promise<HeldList | null>>;
}

const shelves = new WeakMap<Ctx['config'], Shelf>();

/** The list under this key, fetched once for all who ask meanwhile; null where it cannot be had, which is not remembered. */
export async function heldList(ctx: Ctx, key: string, fetchList: () => Promise<HeldList | null>): Promise<HeldList | null> {
  const shelf = shelves.get(ctx.config) ?? { lists: new Map(), fetching: new Map() };
  shelves.set(ctx.config, shelf);
  const known = shelf.lists.get(key);
  const now = ctx.clock.now().getTime();
  // One that was fetched by a clock that was ahead may begin later than now.
  if (known && now >= known.since && now < known.until) return known;
  const fetching = shelf.fetching.get(key) ?? fetchList().finally(() => shelf.fetching.delete(key));
  shelf.fetching.set(key, fetching);
  const found = await fetching;
  shelf.lists.delete(key);
  if (found) shelf.lists.set(key, { ...found, since: now });
  letGo(shelf.lists);
  return found;
}

const sizeOf = ({ answer }: HeldList) => answer.body.length + (answer.packed.gzip?.length ?? 0);

/** The oldest go first. */
function letGo(lists: Map<string, HeldList>): void {
  let size = [...lists.values()].reduce((sum, one) => sum + sizeOf(one), 0);
  for (const [key, one] of lists) {
    if (size <= HELD_BYTES) return;
    lists.delete(key);
    size -= sizeOf(one);
  }
}
