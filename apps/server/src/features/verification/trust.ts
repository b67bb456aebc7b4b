import type { getTrust as call, Reply } from '@lavra/api';
import { govBrTrust, joinTrust, type TrustStore } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { loadAuthority } from '../authority/authority.ts';
import { type CrlIssuer, makeRevocationList } from '../authority/revocation-list.ts';

/**
 * Whom this installation believes: its own root, its timestamp authority's, and the public authorities it was configured
 * with (their roots by pinned fingerprint only).
 */
export async function installationTrust(ctx: Ctx): Promise<TrustStore> {
  const { root, people, platform } = await loadAuthority(ctx);
  const { govBr } = ctx.config.authorities;
  const host = new URL(ctx.publicUrl).hostname;
  return joinTrust(
    {
      anchors: [
        { certificate: root.der, name: host, uses: ['signature'] },
        ...(ctx.timestamps?.anchors ?? []).map((certificate) => ({ certificate, name: host, uses: ['timestamp'] as const })),
      ],
      intermediates: [people.der, platform.der],
    },
    ctx.icpBrasil,
    ...(govBr.length > 0 ? [await govBrTrust(govBr)] : []),
  );
}

const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');

/** The same for a browser, which verifies files that nobody uploads. */
export async function getTrust(ctx: Ctx): Promise<Reply<typeof call>> {
  const { anchors, intermediates } = await installationTrust(ctx);
  const own = await Promise.all((['root', 'people', 'platform'] satisfies CrlIssuer[]).map((issuer) => makeRevocationList(ctx, issuer)));
  const outside = (await ctx.timestamps?.material?.())?.crls ?? [];
  return {
    anchors: anchors.map(({ certificate, name, uses }) => ({ certificate: base64(certificate), name, uses: [...uses] })),
    intermediates: intermediates.map(base64),
    crls: [...own, ...outside].map(base64),
  };
}
