import { icpBrasilTrust, joinTrust, type TrustStore } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import type { Followed } from '../../installation/follow.ts';
import { findList, listCertificates, listVersion } from './public-authorities.store.ts';

interface Live {
  /** From the configuration, and development's own. */
  readonly fixed: TrustStore;
  current: TrustStore;
  version: number;
}

const lives = new WeakMap<TrustStore, Live>();

/**
 * ICP-Brasil as this program believes it at any moment: what it was started with, and the list that was loaded since, here or at
 * another node. Whoever holds the store sees the newest of it.
 */
export function liveTrust(fixed: TrustStore): TrustStore {
  const live: Live = { fixed, current: fixed, version: 0 };
  const store: TrustStore = {
    get anchors() {
      return live.current.anchors;
    },
    get intermediates() {
      return live.current.intermediates;
    },
  };
  lives.set(store, live);
  return store;
}

/** Reads the list anew where it was changed. What the database holds is believed no more than a file: by pinned fingerprints alone. */
export async function followTrust(ctx: Pick<Ctx, 'db' | 'icpBrasil'>): Promise<void> {
  const live = lives.get(ctx.icpBrasil);
  const list = await findList(ctx);
  if (!live || !list || list.version === live.version) return;
  const { anchors, intermediates } = await icpBrasilTrust(await listCertificates(ctx), { history: true });
  const known = new Set([...live.fixed.anchors.map(({ certificate }) => certificate), ...live.fixed.intermediates].map(keyOf));
  live.current = joinTrust(live.fixed, {
    anchors: anchors.filter(({ certificate }) => !known.has(keyOf(certificate))),
    intermediates: intermediates.filter((der) => !known.has(keyOf(der))),
  });
  live.version = list.version;
}

export const followedTrust: Followed = { mark: listVersion, look: followTrust };

const keyOf = (der: Uint8Array) => Buffer.from(der).toString('base64');
