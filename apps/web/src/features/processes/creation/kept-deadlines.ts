import { keptDeadline } from '@lavra/domain';
import type { ProcessDraft } from './process-draft.ts';

type Deadlines = Pick<ProcessDraft, 'hasDeadline' | 'deadline' | 'individual' | 'signers'>;

/** The draft's deadlines that came nearer than a day while it was filled in, moved on; null where none did. */
export function keptDeadlines(draft: Deadlines, now: Date): Pick<ProcessDraft, 'deadline' | 'signers'> | null {
  const kept = (on: boolean, iso: string | null) => (on && iso !== null ? keptDeadline(new Date(iso), now).toISOString() : iso);
  const deadline = kept(draft.hasDeadline, draft.deadline);
  const signers = draft.signers.map((signer) => ({ ...signer, dueDate: kept(draft.individual, signer.dueDate) }));
  const isMoved = deadline !== draft.deadline || signers.some(({ dueDate }, index) => dueDate !== draft.signers[index]?.dueDate);
  return isMoved ? { deadline, signers } : null;
}
