import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { findKeptBytes } from '../../documents/find-kept-bytes.ts';
import { checkUsage } from '../../plans/check-usage.ts';
import { listToldSignatures } from './told-signatures.store.ts';

/** Every night: what contracts count is compared with the events of processes and with the documents that are kept; what differs is mended. */
export const checkUsageJob = defineJob<Record<string, never>>({
  name: 'check-usage',
  cron: '41 3 * * *',
  exclusive: true,
  retryLimit: 1,
  expireInSeconds: 6 * 3600,
  async run(ctx) {
    const found = await checkUsage(ctx, { signatures: toldSignatures, documents: keptDocuments });
    if (found.settled + found.recounted > 0) ctx.log.warn(found, 'usage of contracts differed from the events, and was mended');
    ctx.log.info(found, 'usage of contracts checked');
  },
});

async function toldSignatures(tx: Ctx, processIds: readonly string[]) {
  const told = await listToldSignatures(tx, processIds);
  return told.map(({ id, signatureProcessId, modality, state }) => ({
    kind: modality,
    subjectId: id,
    signatureProcessId,
    amount: 1,
    state,
  }));
}

async function keptDocuments(tx: Ctx, documentIds: readonly string[]) {
  const kept = await findKeptBytes(tx, documentIds);
  return documentIds.flatMap((subjectId) => {
    const bytes = kept.get(subjectId);
    const row = { subjectId, signatureProcessId: null };
    return [
      { ...row, kind: 'document' as const, amount: 1, state: bytes === undefined ? ('released' as const) : ('used' as const) },
      { ...row, kind: 'storage' as const, amount: bytes ?? 0, state: bytes ? ('used' as const) : ('released' as const) },
    ];
  });
}
