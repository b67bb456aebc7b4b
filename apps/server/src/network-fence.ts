import { AsyncLocalStorage } from 'node:async_hooks';

export interface NetworkFence {
  /** Runs a transaction; what is called in the course of it finds the network shut. */
  during<T>(transaction: () => Promise<T>): Promise<T>;
  /** The same port, whose methods refuse inside a transaction. */
  around<Port extends object>(name: string, port: Port): Port;
}

/**
 * No network call inside an open transaction (idle in transaction): a timestamp authority that hangs would hold a process's lock and one of the
 * pool's connections for everybody else. The types say so where the transaction's own context is used (`Tx`); this holds it
 * wherever that context went.
 */
export function networkFence(): NetworkFence {
  const current = new AsyncLocalStorage<{ open: boolean }>();
  return {
    async during(transaction) {
      const state = { open: true };
      try {
        return await current.run(state, transaction);
      } finally {
        // What the transaction left running may go where it likes.
        state.open = false;
      }
    },
    around(name, port) {
      return new Proxy(port, {
        get(target, key) {
          const member: unknown = Reflect.get(target, key, target);
          if (typeof member !== 'function') return member;
          return (...given: unknown[]): unknown => {
            if (current.getStore()?.open)
              throw new Error(`${name}.${String(key)} inside a transaction: the network is asked before or after it`);
            return Reflect.apply(member, target, given);
          };
        },
      });
    },
  };
}
