import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { packedAnswer, type PublicAnswer } from '../../public-answer.ts';
import { askOutside } from '../../outside/ask-outside.ts';
import { judgeListOf, maxListBytes } from '../../outside/judge-list.ts';
import { findListAddress } from '../../outside/list-addresses.store.ts';
import { believedIssuers } from './believed-issuers.ts';
import { type HeldList, heldList } from './held-lists.ts';
import { installationTrust } from './installation-trust.ts';

const HELD_MS = 10 * 60_000;
const MAX_AGE_SECONDS = 300;

/**
 * A revocation list for a browser that verifies a file nobody uploads: of an authority below one we believe, at an address that
 * one of its certificates named, and no other. Visitors name no address; what stands there is fetched through the fence, counts
 * when that authority has signed it, and is kept for every node (docs/decisions/029).
 * @throws DomainError request.notFound when no such list is known, or cannot be had now; request.tooMany
 */
export async function getRevocationList(ctx: Ctx, _actor: Visitor, key: string): Promise<{ answer: PublicAnswer; maxAgeSeconds: number }> {
  const found = await heldList(ctx, key, () => fetchList(ctx, key));
  if (!found) throw new DomainError('request.notFound');
  const left = Math.floor((found.until - ctx.clock.now().getTime()) / 1000);
  return { answer: found.answer, maxAgeSeconds: Math.max(0, Math.min(MAX_AGE_SECONDS, left)) };
}

async function fetchList(ctx: Ctx, key: string): Promise<HeldList | null> {
  const address = await findListAddress(ctx, key);
  const [issuer] = address ? await believedIssuers(await installationTrust(ctx), [address.issuer]) : [];
  if (!address || !issuer) return null;
  const found = await askOutside(ctx, {
    url: address.url,
    maxBytes: maxListBytes,
    async read(bytes) {
      const list = await judgeListOf(ctx, bytes, issuer, ctx.clock.now());
      return list && { value: list.nextUpdate, until: list.nextUpdate };
    },
  });
  if (!found) return null;
  const now = ctx.clock.now().getTime();
  // One that is over is still given: whom it names is revoked. But it is asked for again soon.
  const end = found.value && found.value.getTime() > now ? found.value.getTime() : now;
  return { answer: await packedAnswer('application/pkix-crl', found.bytes), until: Math.min(end, now + HELD_MS) };
}
