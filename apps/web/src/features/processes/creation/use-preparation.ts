import { formInstant } from '@lavra/domain';
import { useState } from 'react';
import { useGo } from '../../../lib/go.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { draftFaults } from './draft-faults.ts';
import { deleteDraft, type ProcessDraft } from './process-draft.ts';

/** What is wrong with a draft, told from the first try on, and the ways on from it: the next page, or away without it. */
export function usePreparation(draft: ProcessDraft) {
  const { t } = useTranslation();
  const go = useGo();
  const [attempt, setAttempt] = useState(0);
  /** Somebody was typed into a form and not added: to go on would lose them without a word. */
  const [pending, setPending] = useState({ signer: false, stakeholder: false });
  const faults = draftFaults(draft, formInstant(new Date(draft.createdAt), new Date()));
  const blocked = faults.length > 0 || pending.signer || (pending.stakeholder && draft.hasStakeholders);
  const tried = attempt > 0;
  return {
    attempt,
    isTold: tried && blocked,
    faultText(field: string, index?: number): string | undefined {
      const fault = tried ? faults.find((one) => one.field === field && one.index === index) : undefined;
      return fault ? t(fault.code, fault.params ?? {}) : undefined;
    },
    /** Of a form: whether somebody in it keeps from going on, and where it tells that somebody is. */
    pendingIn: (form: 'signer' | 'stakeholder') => ({
      pending: tried && pending[form],
      onPending: (now: boolean) => setPending((before) => ({ ...before, [form]: now })),
    }),
    next(): void {
      if (blocked) return setAttempt(attempt + 1);
      void go('/confirm', { state: { draftId: draft.id } });
    },
    // Gone first, forgotten then: a page whose draft is gone sends its visitor elsewhere.
    async discard(): Promise<void> {
      await go('/');
      await deleteDraft(draft.id);
    },
  };
}
