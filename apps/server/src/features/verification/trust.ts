import { getTrust as call, type Reply } from '@lavra/api';
import { govBrTrust, joinTrust, type TrustStore } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { kept } from '../../kept.ts';
import { type PublicAnswer, publicAnswer } from '../../http/public-answer.ts';
import { serialize } from '../../http/route.ts';
import { loadAuthority } from '../authority/authority.ts';
import { type CrlIssuer, currentRevocationList } from '../authority/revocation-list.ts';
import { listListAddresses } from '../../outside/list-addresses.store.ts';
import { believedIssuers } from './believed-issuers.ts';

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
const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');

/** The same for a browser, which verifies files that nobody uploads: made once a minute at most, whoever asks. */
export const getTrust: (ctx: Ctx) => Promise<PublicAnswer> = kept(MINUTE_MS, async (ctx) =>
  publicAnswer('application/json; charset=utf-8', serialize(call, await trustForBrowsers(ctx))),
);

async function trustForBrowsers(ctx: Ctx): Promise<Reply<typeof call>> {
  const trust = await installationTrust(ctx);
  const { anchors, intermediates } = trust;
  const own = await Promise.all((['root', 'people', 'platform'] satisfies CrlIssuer[]).map((issuer) => currentRevocationList(ctx, issuer)));
  const addresses = await listListAddresses(ctx);
  const issuers = await believedIssuers(
    trust,
    addresses.map(({ issuer }) => issuer),
  );
  const outside = (await ctx.timestamps?.material?.())?.crls ?? [];
  return {
    anchors: anchors.map(({ certificate, name, uses }) => ({ certificate: base64(certificate), name, uses: [...uses] })),
    intermediates: intermediates.map(base64),
    crls: [...own.map(({ body }) => body), ...outside].map(base64),
    lists: addresses.filter((_, index) => issuers[index]).map(({ key }) => key),
  };
}
