import type { getIcpBrasil as call, Reply } from '@lavra/api';
import { parseCertificate } from '@lavra/pades';
import type { Person } from '../../access/actor.ts';
import { placeOf } from '../../config-shown.ts';
import type { Ctx } from '../../context.ts';
import { findList } from './public-authorities.store.ts';

/** What is known of ICP-Brasil's authorities, from where and how old. */
export async function getIcpBrasil(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const list = await findList(ctx);
  const now = ctx.clock.now();
  const authorities = ctx.icpBrasil.intermediates.map(parseCertificate);
  const begun = authorities.map(({ notBefore }) => notBefore.getTime());
  return {
    address: ctx.config.icpBrasilListUrl && placeOf(ctx.config.icpBrasilListUrl),
    configured: ctx.config.authorities.icpBrasil.length,
    roots: ctx.icpBrasil.anchors.map(({ name }) => name),
    authorities: {
      valid: authorities.filter(({ notAfter }) => notAfter > now).length,
      ended: authorities.filter(({ notAfter }) => notAfter <= now).length,
      newest: begun.length === 0 ? null : new Date(Math.max(...begun)).toISOString(),
    },
    list: list && {
      source: list.source,
      fileHash: list.fileHash,
      loadedAt: list.loadedAt.toISOString(),
      checkedAt: list.checkedAt.toISOString(),
      fault: list.fault,
      faultAt: list.faultAt?.toISOString() ?? null,
    },
  };
}
