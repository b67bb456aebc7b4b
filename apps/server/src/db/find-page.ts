/** Ids of one page of hits; where `total` is not exact, there are more. */
export interface FoundPage<Id = string> {
  ids: readonly Id[];
  total: number;
  isTotalExact: boolean;
}

/** What is looked through: a list in its order, of which a part are hits. */
export interface Searched<Id> {
  /** How many it has, or more than is read of it whole. */
  listed: number;
  offset: number;
  size: number;
  /** Hits are counted as far as that at least. */
  counted: number;
  /** The hits among its first `within` in its order; no more than `most`. */
  walk(within: number, most: number): Promise<readonly Id[]>;
  /** By an index of words: how many hits there are, no more than `most` of them looked at, and the page if that were all. */
  lookUp(most: number | null): Promise<{ ids: readonly Id[]; found: number }>;
}

/** How far a search looks before it looks otherwise. */
const usualBounds = {
  /** Read of a list in its order, the second where the first is not enough: what is frequent is found before, and a small list is read whole. */
  near: [1000, 10_000],
  /** Taken from the index of words: what is not found on the way is rare. */
  rare: 10_000,
  /** Read of a list for what is neither: frequent, but not among what comes first. */
  farther: 100_000,
};

/** A row that the index of words finds lies anywhere: it costs as much as so many that are read on the way. */
const COST_OF_FOUND = 3;

/**
 * One page of hits in a list's order, without counting them all: frequent ones are met on the way through the list, rare ones are
 * found by their index. Only what is frequent and stands far behind costs more the more there is of it.
 */
export async function findPage<Id>(searched: Searched<Id>, bounds = usualBounds): Promise<FoundPage<Id>> {
  const { listed, offset, size } = searched;
  const counted = Math.max(searched.counted, offset + size);
  let walked: readonly Id[] = [];
  let within = 0;
  for (within of bounds.near) {
    walked = await searched.walk(within, counted + 1);
    if (walked.length > counted) return pageOf(walked, counted);
    if (listed <= within) return { ...pageOf(walked, 0), total: walked.length, isTotalExact: true };
  }
  // As frequent as they were so far, so many more must be read until there are enough of them.
  const enough = Math.ceil((1.2 * (counted + 1) * within) / walked.length);
  if (enough - within < (COST_OF_FOUND * walked.length * listed) / within && enough <= bounds.farther) {
    walked = await searched.walk(enough, counted + 1);
    if (walked.length > counted) return pageOf(walked, counted);
  }
  const rare = await searched.lookUp(bounds.rare + 1);
  if (rare.found <= bounds.rare) return { ids: rare.ids, total: rare.found, isTotalExact: true };
  if (walked.length < offset + size) walked = await searched.walk(bounds.farther, counted + 1);
  if (walked.length >= offset + size) return pageOf(walked, Math.max(bounds.rare, walked.length - 1));
  const all = await searched.lookUp(null);
  return { ids: all.ids, total: all.found, isTotalExact: true };

  function pageOf(ids: readonly Id[], total: number): FoundPage<Id> {
    return { ids: ids.slice(offset, offset + size), total, isTotalExact: false };
  }
}
