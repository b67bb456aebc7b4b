import type { getTrust as call, Reply } from '@lavra/api';
import type { Actor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { listListAddresses } from '../../outside/list-addresses.store.ts';
import { type CrlIssuer, currentRevocationList } from '../authority/revocation-list.ts';
import { believedIssuers } from './believed-issuers.ts';
import { installationTrust } from './installation-trust.ts';

const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');

/** Whom this installation believes, for a browser, which verifies files that nobody uploads. */
export async function getTrust(ctx: Ctx, _actor: Actor): Promise<Reply<typeof call>> {
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
