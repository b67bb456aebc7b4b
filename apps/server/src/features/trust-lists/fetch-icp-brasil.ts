import type { LoadedAuthorities } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person, System } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { OutsideFault } from '../../outside/outside.ts';
import { LIST_BYTES, loadAuthorities } from './load-authorities.ts';
import { noteFault } from './public-authorities.store.ts';

/**
 * Fetches ITI's file from the configured address, through the fence. What cannot be had or believed is noted, and what is known
 * goes on. @throws DomainError trust.noAddress, trust.unreachable, trust.listUnreadable, trust.listUnproven
 */
export async function fetchIcpBrasil(ctx: Ctx, actor: Person | System): Promise<LoadedAuthorities> {
  const { icpBrasilListUrl: url } = ctx.config;
  if (url === null) throw new DomainError('trust.noAddress');
  try {
    return await loadAuthorities(ctx, actor, { bytes: await fetchFile(ctx, url), source: 'address' });
  } catch (error) {
    if (error instanceof DomainError) await noteFault(ctx, error.code);
    throw error;
  }
}

async function fetchFile(ctx: Ctx, url: string): Promise<Uint8Array> {
  try {
    return await ctx.outside.fetch({ url, maxBytes: LIST_BYTES });
  } catch (error) {
    if (!(error instanceof OutsideFault)) throw error;
    ctx.log.warn({ fault: error.code }, 'the list of ICP-Brasil’s authorities cannot be fetched');
    throw new DomainError('trust.unreachable');
  }
}
