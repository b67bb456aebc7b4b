import { DomainError, type ProcessState } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { findProcess, listProcessDocuments, listSigners, listStakeholders } from './processes.store.ts';

/**
 * A process with all that hangs on it, and its state in the domain's words.
 * @throws DomainError process.notFound
 */
export async function loadProcess(ctx: Ctx, id: string) {
  const row = await findProcess(ctx, id);
  if (!row) throw new DomainError('process.notFound');
  const [signers, documents, stakeholders] = await Promise.all([
    listSigners(ctx, id),
    listProcessDocuments(ctx, id),
    listStakeholders(ctx, id),
  ]);
  const state: ProcessState = {
    status: row.status,
    dueDate: row.due_date,
    signers: signers.map((signer) => ({ id: signer.id, order: signer.order, status: signer.status, dueDate: signer.due_date })),
  };
  return { row, state, signers, documents, stakeholders };
}

export type LoadedProcess = Awaited<ReturnType<typeof loadProcess>>;
