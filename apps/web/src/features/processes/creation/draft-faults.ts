import {
  checkedTitle,
  deadlineFault,
  type Deadlines,
  documentCountFault,
  refusalOf,
  reminderConflicts,
  signerCountFault,
} from '@lavra/domain';
import type { ProcessDraft } from './process-draft.ts';
import { signerFault } from './signer-fault.ts';
import { signingOrders } from './signing-order.ts';

export interface DraftFault {
  field: 'title' | 'files' | 'signers' | 'signer' | 'deadline' | 'individual' | 'reminder';
  /** Key of its sentence. */
  code: string;
  /** What fills it. */
  params?: Readonly<Record<string, string | number>>;
  /** Which signer's, for 'signer' and 'individual'. */
  index?: number;
}

export type DraftContent = Pick<
  ProcessDraft,
  'title' | 'files' | 'signers' | 'hasDeadline' | 'deadline' | 'individual' | 'hasReminder' | 'reminderDays'
>;

function deadlinesOf(draft: DraftContent): Deadlines {
  return {
    general: draft.hasDeadline && draft.deadline ? new Date(draft.deadline) : null,
    individual: draft.individual ? draft.signers.map((signer) => (signer.dueDate ? new Date(signer.dueDate) : null)) : [],
    orders: signingOrders(draft.signers),
  };
}

export function reminderConflict(draft: DraftContent, now: Date): boolean {
  return draft.hasReminder && reminderConflicts(draft.reminderDays, deadlinesOf(draft), now);
}

/** Everything that keeps the draft from going on (section 5), in the order of the screen. */
export function draftFaults(draft: DraftContent, now: Date): DraftFault[] {
  const faults: DraftFault[] = [];
  const title = refusalOf(() => checkedTitle(draft.title));
  if (title) faults.push({ field: 'title', code: title.code, params: title.params });
  const documents = documentCountFault(draft.files.length);
  if (documents) faults.push({ field: 'files', code: documents.fault, params: documents.params });
  if (draft.files.some(({ isLocked }) => isLocked)) faults.push({ field: 'files', code: 'prepare.locked.pending' });
  if (draft.files.some(({ refusal }) => refusal)) faults.push({ field: 'files', code: 'prepare.refused' });
  const signers = signerCountFault(draft.signers.length);
  if (signers) faults.push({ field: 'signers', code: signers.fault, params: signers.params });
  draft.signers.forEach((signer, index) => {
    const fault = signerFault(signer);
    if (fault) faults.push({ field: 'signer', code: fault.code, ...(fault.params ? { params: fault.params } : {}), index });
  });
  if (draft.individual) {
    draft.signers.forEach(({ dueDate }, index) => {
      if (!dueDate) faults.push({ field: 'individual', code: 'dateTime.invalid', index });
    });
  }
  if (draft.hasDeadline && !draft.deadline) faults.push({ field: 'deadline', code: 'dateTime.invalid' });
  const deadline = deadlineFault(deadlinesOf(draft), now);
  if (deadline?.index !== undefined) faults.push({ field: 'individual', code: deadline.fault, index: deadline.index });
  else if (deadline) faults.push({ field: 'deadline', code: deadline.fault });
  if (reminderConflict(draft, now)) faults.push({ field: 'reminder', code: 'process.reminderConflict' });
  return faults;
}
