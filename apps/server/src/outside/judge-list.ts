import { type Certificate, type FetchedProof, judgeFetchedList, judgeIssuersList } from '@lavra/pades';
import type { Ctx } from '../context.ts';
import type { judgeList as judgeInWorker, judgeListOf as judgeListOfInWorker } from './judge-list.worker.ts';

/** ICP-Brasil's largest lists have some 10 MB. */
export const maxListBytes = 32 * 1024 * 1024;

const judging = new URL('./judge-list.worker.ts', import.meta.url);
/** Some authorities' lists have hundreds of thousands of entries: such are read in a worker. */
const SMALL_LIST = 256 * 1024;

/** The engine's `judgeFetchedList`: what the list says of a certificate. */
export function judgeList(
  ctx: Ctx,
  list: Uint8Array,
  { certificate, issuer }: { certificate: Certificate; issuer: Certificate },
  at: Date,
): Promise<FetchedProof | null> {
  if (list.length <= SMALL_LIST) return judgeFetchedList(list, certificate, issuer, at);
  const input = { list, certificate: certificate.der, issuer: issuer.der, at };
  return ctx.workers.run<typeof judgeInWorker>(judging, 'judgeList', input, { lane: 'lists' });
}

/** The engine's `judgeIssuersList`: whether this authority made the list. */
export function judgeListOf(ctx: Ctx, list: Uint8Array, issuer: Certificate, at: Date): ReturnType<typeof judgeIssuersList> {
  if (list.length <= SMALL_LIST) return judgeIssuersList(list, issuer, at);
  const input = { list, issuer: issuer.der, at };
  return ctx.workers.run<typeof judgeListOfInWorker>(judging, 'judgeListOf', input, { lane: 'lists' });
}
