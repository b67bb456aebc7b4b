import { DomainError, type ProcessState } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import * as store from './processes.store.ts';

/**
 * A process with all that hangs on it, and its state in the domain's words.
 * @throws DomainError process.notFound
 */
export async function loadProcess(ctx: Ctx, id: string) {
  const row = await store.findProcess(ctx, id);
  if (!row) throw new DomainError('process.notFound');
  const [signers, documents, stakeholders] = await Promise.all([
    store.listSigners(ctx, id),
    store.listProcessDocuments(ctx, id),
    store.listStakeholders(ctx, id),
  ]);
  const state: ProcessState = {
    status: row.status,
    modality: row.modality,
    dueDate: row.due_date,
    reminderIn: row.reminder_in,
    startedAt: row.started_at,
    preparedAt: row.prepared_at,
    finalizedAt: row.finalized_at,
    signers: signers.map((signer) => ({
      id: signer.id,
      name: signer.name,
      order: signer.order,
      status: signer.status,
      dueDate: signer.due_date,
      invitedAt: signer.invited_at,
      openedAt: signer.opened_at,
      finalizedAt: signer.finalized_at,
      rejectCause: signer.reject_cause,
      remindersSent: signer.reminders_sent,
    })),
  };
  return { row, state, signers, documents, stakeholders };
}

export type LoadedProcess = Awaited<ReturnType<typeof loadProcess>>;

/** Locks the process for the rest of the transaction. */
export function lockSignatureProcess(tx: Ctx, id: string): Promise<void> {
  return store.lockProcess(tx, id);
}

/** The placements of all signers of a process. */
export function listProcessPlacements(ctx: Ctx, signatureProcessId: string) {
  return store.listPlacements(ctx, signatureProcessId);
}

/** Whom to tell about a process. */
export async function findProcessOwner(ctx: Ctx, signatureProcessId: string) {
  const row = await store.findProcess(ctx, signatureProcessId);
  const owner = row ? await store.findUser(ctx, row.owner_id) : undefined;
  return row && owner ? { email: owner.email, name: owner.first_name, locale: owner.lang_key, title: row.title } : null;
}
