import { canCancel, DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { announceEnd } from './announce-end.ts';
import { findProcess, moveStatus } from '../processes.store.ts';
import { recordEvent } from './record-event.ts';

/** @throws DomainError process.notFound (also for somebody else's), process.notInProgress */
export async function cancelProcess(ctx: Ctx, actor: Person, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await findProcess(tx, id);
    const currentIsOwner = row?.owner_id === actor.userId;
    if (!row || !currentIsOwner || row.status === 'DRAFT') throw new DomainError('process.notFound');
    const moved =
      canCancel({ status: row.status, currentIsOwner }) &&
      (await moveStatus(tx, id, 'IN_PROGRESS', 'CREATOR_CANCELED', { finalized_at: tx.clock.now() }));
    if (!moved) throw new DomainError('process.notInProgress');
    await recordEvent(tx, { signatureProcessId: id, type: 'process.canceled', data: { by: actor.email } });
    await announceEnd(tx, id);
  });
}
