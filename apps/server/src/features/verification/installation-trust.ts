import { govBrTrust, joinTrust, type TrustStore } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { kept } from '../../kept.ts';
import { loadAuthority } from '../authority/authority.ts';

const MINUTE_MS = 60_000;

/**
 * Whom this installation believes: its own root, its timestamp authority's, and the public authorities it was configured
 * with (their roots by pinned fingerprint only).
 */
export const installationTrust: (ctx: Ctx) => Promise<TrustStore> = kept(MINUTE_MS, makeTrust);

async function makeTrust(ctx: Ctx): Promise<TrustStore> {
  const { root, people, platform } = await loadAuthority(ctx);
  const { govBr } = ctx.config.authorities;
  const host = new URL(ctx.publicUrl).hostname;
  // An authority below ICP-Brasil's roots is ICP-Brasil's, and called so.
  const own = (ctx.timestamps?.anchors ?? []).filter((der) => !ctx.icpBrasil.anchors.some(({ certificate }) => isSame(certificate, der)));
  return joinTrust(
    {
      anchors: [
        { certificate: root.der, name: host, uses: ['signature'] },
        ...own.map((certificate) => ({ certificate, name: host, uses: ['timestamp'] as const })),
      ],
      intermediates: [people.der, platform.der],
    },
    ctx.icpBrasil,
    ...(govBr.length > 0 ? [await govBrTrust(govBr)] : []),
  );
}

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.from(one).equals(other);
