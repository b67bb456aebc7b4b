import { deadlineFault, documentCountFault, DomainError, reminderConflicts, signerCountFault } from '@lavra/domain';
import type { Person, System } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { sendPreparation } from '../hand-over.ts';
import { insertSignatures } from './creation.store.ts';
import { type LoadedProcess, loadProcess } from '../load-process.ts';
import { findUser, lockProcess, moveStatus } from '../processes.store.ts';
import { recordEvent } from '../life/record-event.ts';
import { assertMayCall } from '../life/sender-standing.ts';

/**
 * Closes the creation sequence: checks the whole and queues the preparation, after which the first signers
 * are invited. Starting a started process is answered with success (the closing may be repeated). The installation starts what a
 * client left complete.
 * @throws DomainError process.notFound, signersRequired, documentsRequired, deadline codes, reminderConflict, tooManyInvitations
 */
export async function startProcess(ctx: Ctx, actor: Person | System, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    // First: whatever is being added is in before we look, or is refused after.
    await lockProcess(tx, id);
    const loaded = await loadProcess(tx, id);
    const ownerId = loaded.row.owner_id;
    if (actor.kind === 'person' && actor.userId !== ownerId) throw new DomainError('process.notFound');
    if (loaded.row.status !== 'DRAFT') return;
    assertComplete(loaded, tx.clock.now());
    const owner = await findUser(tx, ownerId);
    if (owner) await assertMayCall(tx, owner, loaded.signers.length + loaded.stakeholders.length);
    if (!(await moveStatus(tx, id, 'DRAFT', 'IN_PROGRESS', { started_at: tx.clock.now() }))) return;
    await insertSignatures(
      tx,
      id,
      loaded.signers.flatMap((signer) => loaded.documents.map((document) => ({ signerId: signer.id, documentId: document.id }))),
    );
    await recordEvent(tx, {
      signatureProcessId: id,
      type: 'process.created',
      data: {
        title: loaded.row.title,
        by: owner?.email ?? '',
        documents: loaded.documents.map(({ id: documentId, name, hash }) => ({ id: documentId, name, sha256: hash })),
      },
    });
    await recordEvent(tx, {
      signatureProcessId: id,
      type: 'process.started',
      data: { signers: loaded.signers.map(({ name, email, order }) => ({ name, email, order })) },
    });
    await sendPreparation(tx, { id, ownerId });
  });
}

function assertComplete(loaded: LoadedProcess, now: Date): void {
  const count = signerCountFault(loaded.signers.length) ?? documentCountFault(loaded.documents.length);
  if (count) throw new DomainError(count.fault, { params: count.params });
  const deadlines = { general: loaded.row.due_date, individual: loaded.signers.map((signer) => signer.due_date) };
  const found = deadlineFault(deadlines, now);
  if (found) throw new DomainError(found.fault, { field: 'dueDate' });
  if (loaded.row.reminder_in !== null && reminderConflicts(loaded.row.reminder_in, deadlines, now)) {
    throw new DomainError('process.reminderConflict', { field: 'reminderIn' });
  }
}
