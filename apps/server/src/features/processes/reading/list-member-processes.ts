import type { Reply, signatureProcessListById } from '@lavra/api';
import { limits } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { memberSeenSince } from '../../companies/member-of.ts';
import { listDocumentNames } from '../../documents/process-documents.ts';
import { countSentBy, pageSentBy, signersOf } from './member-processes.store.ts';

export interface MemberProcessesAsked {
  userId: string;
  page: number | undefined;
  size: number | undefined;
}

/** What a member of the actor's company sent to be signed since they joined it. @throws DomainError company.memberNotFound */
export async function listMemberProcesses(
  ctx: Ctx,
  actor: Person,
  { userId, page = 0, size = limits.entityPageSize }: MemberProcessesAsked,
): Promise<Reply<typeof signatureProcessListById>> {
  const since = await memberSeenSince(ctx, actor, userId);
  const [total, processes] = await Promise.all([countSentBy(ctx, userId, since), pageSentBy(ctx, userId, since, { page, size })]);
  const ids = processes.map(({ id }) => id);
  const [signers, documents] = await Promise.all([signersOf(ctx, ids), listDocumentNames(ctx, ids)]);
  const items = processes.map(({ id, title, createdAt, dueDate, hasOwnDeadlines, status }) => ({
    id,
    title,
    documents: documents.filter(({ processId }) => processId === id).map(({ name }) => name),
    createdDate: createdAt.toISOString(),
    dueDate: dueDate?.toISOString() ?? null,
    hasOwnDeadlines,
    status,
    signers: signers.filter(({ processId }) => processId === id),
  }));
  return { items, total };
}
