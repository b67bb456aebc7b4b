import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** What a provider remembers: codes, grants and sessions, until it is stopped. Each issuer has its own. */
export function memoryAdapter(): AdapterFactory {
  const kept = new Map<string, { payload: AdapterPayload; until: number }>();
  return (model): Adapter => {
    const keyOf = (id: string) => `${model}:${id}`;
    const find = (key: string) => {
      const found = kept.get(key);
      return found && found.until > Date.now() ? found.payload : undefined;
    };
    const findBy = (is: (payload: AdapterPayload) => boolean) =>
      Promise.resolve([...kept].find(([key, { payload }]) => key.startsWith(`${model}:`) && is(payload))?.[1].payload);
    return {
      upsert(id, payload, expiresIn) {
        kept.set(keyOf(id), { payload, until: Date.now() + (expiresIn || 3600) * 1000 });
        return Promise.resolve(undefined);
      },
      find: (id) => Promise.resolve(find(keyOf(id))),
      findByUid: (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: (code) => findBy((payload) => payload.userCode === code),
      consume(id) {
        const payload = find(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
        return Promise.resolve(undefined);
      },
      destroy(id) {
        kept.delete(keyOf(id));
        return Promise.resolve(undefined);
      },
      revokeByGrantId(grantId) {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
        return Promise.resolve(undefined);
      },
    };
  };
}
