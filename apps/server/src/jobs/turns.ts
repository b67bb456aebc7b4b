/**
 * Keyed mutex: runs acts of one key one after another, in the order they came, within this program; other keys run beside them.
 * It spares work; what must hold over several programs is held by the database.
 */
export function createTurns(): <T>(key: string, act: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, act) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(act, act);
    last.set(key, mine);
    const forget = () => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
