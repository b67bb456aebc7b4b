import type { getSubDataProcess, Reply } from '@lavra/api';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { listOtherNames } from '../life/other-names.ts';
import { loadOwnProcess } from './participation.ts';

/** What a row of the list shows when it is opened. */
export async function getSubData(ctx: Ctx, actor: Person, id: string): Promise<Reply<typeof getSubDataProcess>> {
  const { row, signers, documents, stakeholders, isOwner } = await loadOwnProcess(ctx, actor, id);
  const otherNames = isOwner ? await listOtherNames(ctx, id) : new Map<string, string>();
  return {
    signers: signers.map((signer) => ({
      // The id is a capability: with it anyone could sign as this person. Its owner hands it out knowingly.
      id: isOwner ? signer.id : null,
      name: signer.name,
      email: signer.email,
      order: signer.order,
      status: signer.status,
      dueDate: signer.due_date?.toISOString() ?? null,
      finalizedDate: signer.finalized_at?.toISOString() ?? null,
      rejectCause: signer.reject_cause,
      signedAs: otherNames.get(signer.id) ?? null,
      isCurrentUser: signer.user_id === actor.userId,
    })),
    documents: documents.map(({ id: documentId, name, size, page_count, notices }) => ({
      id: documentId,
      name,
      size: Number(size),
      pageCount: page_count,
      notices: isOwner ? notices : [],
    })),
    stakeholders: stakeholders.map(({ name, email }) => ({ name, email })),
    currentIsOwner: isOwner,
    reminderIn: row.reminder_in,
    problem: isOwner ? row.problem : null,
    problemParams: isOwner ? (row.problem_params ?? {}) : {},
  };
}
