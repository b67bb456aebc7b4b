import { limits } from '@lavra/domain';
import { useState } from 'react';
import { leftSince, useGo } from '../lib/go.ts';
import { useTranslation } from '../lib/i18n.ts';
import { showToast } from '../ui/toasts.ts';

/**
 * Leaves the success of an act 100 ms after it (section 9), with its message; what led to it stays shut meanwhile. Whoever left the
 * address while the act was on its way stays where they went, and is told there.
 */
export function useLeaveSuccess(): {
  leaveAfter: (act: Promise<object | undefined>, to: string, message: string) => Promise<void>;
  leaving: boolean;
} {
  const { t } = useTranslation();
  const go = useGo();
  const [leaving, setLeaving] = useState(false);
  const leaveAfter = async (act: Promise<object | undefined>, to: string, message: string): Promise<void> => {
    const hasLeft = leftSince();
    if (!(await act)) return;
    setLeaving(true);
    await new Promise((resolve) => void setTimeout(resolve, limits.successRedirectMs));
    if (!hasLeft()) return go(to, { state: { message } });
    setLeaving(false);
    showToast({ text: t(message) });
  };
  return { leaveAfter, leaving };
}
