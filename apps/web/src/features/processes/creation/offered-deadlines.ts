import { offeredIndividualDeadline } from '@lavra/domain';
import type { ProcessDraft, SignerDraft } from './process-draft.ts';

/** The signers, each without a deadline of their own with the one that is offered first: it fits what was chosen already. */
export function withOfferedDeadlines(
  signers: readonly SignerDraft[],
  { hasDeadline, deadline }: Pick<ProcessDraft, 'hasDeadline' | 'deadline'>,
  now: Date,
): SignerDraft[] {
  const general = hasDeadline && deadline !== null ? new Date(deadline) : null;
  let previous: Date | null = null;
  return signers.map((signer, index) => {
    const due: Date = signer.dueDate === null ? offeredIndividualDeadline(now, index, { previous, general }) : new Date(signer.dueDate);
    previous = due;
    return { ...signer, dueDate: due.toISOString() };
  });
}
