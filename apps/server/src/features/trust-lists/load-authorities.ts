import { createHash } from 'node:crypto';
import type { LoadedAuthorities } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person, System } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { WorkExceededError } from '../../workers/wire.ts';
import { followTrust } from './live-trust.ts';
import type { readAuthorities } from './read-authorities.worker.ts';
import { enterCertificates, findList, type LoadedList, noteChecked, writeList } from './public-authorities.store.ts';

/** ITI's file has less than one megabyte. */
export const LIST_BYTES = 8 * 1024 * 1024;

const reading = new URL('./read-authorities.worker.ts', import.meta.url);

/**
 * Takes a list of ICP-Brasil's authorities: read in a worker, believed by pinned fingerprints alone, added to what is known. A
 * list never takes an authority away, so that an older one does no harm. @throws DomainError trust.listUnreadable, trust.listUnproven
 */
export async function loadAuthorities(
  ctx: Ctx,
  actor: Person | System,
  { bytes, source }: { bytes: Uint8Array; source: LoadedList['source'] },
): Promise<LoadedAuthorities> {
  const fileHash = createHash('sha256').update(bytes).digest('hex');
  const known = [...ctx.icpBrasil.anchors.map(({ certificate }) => certificate), ...ctx.icpBrasil.intermediates];
  const { certificates, unrelated, unreadable } = await ctx.workers
    .run<typeof readAuthorities>(reading, 'readAuthorities', { bytes, known }, { lane: 'strangers', caller: 'trust-lists' })
    .catch((error: unknown) => {
      throw error instanceof WorkExceededError ? new DomainError('trust.listUnreadable', { field: 'file' }) : error;
    });
  const added = await ctx.transaction(async (tx) => {
    const before = await findList(tx);
    if (before?.fileHash === fileHash) {
      await noteChecked(tx);
      return 0;
    }
    const isNew = await enterCertificates(tx, certificates);
    await writeList(tx, { source, fileHash });
    await recordAudit(tx, {
      kind: 'installation.trust',
      outcome: 'success',
      accountId: actor.kind === 'person' ? actor.userId : null,
      subjectId: 'trust-lists/icp-brasil',
      details: { source, fileHash, added: isNew, authorities: certificates.length },
      ...(actor.kind === 'person' ? { ip: actor.from.ip } : {}),
    });
    return isNew;
  });
  await followTrust(ctx);
  return { authorities: certificates.length, added, unrelated, unreadable };
}
