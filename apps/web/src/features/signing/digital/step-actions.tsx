import { useTranslation } from 'react-i18next';
import { ActFoot } from '../act-foot.tsx';
import { isHandedIn, runningAttempt } from './signing-state.ts';
import { stepFault } from './signing-told.tsx';
import type { StepProps } from './step-props.ts';

type StepActionsProps = StepProps<'type' | 'choice' | 'file'> & {
  submit: string;
  /** What the person has left out. */
  missing?: string | undefined;
};

/** Under a step's form: what keeps it from going on; back or, while something runs, cancel; and on. */
export function StepActions({ state, send, submit, missing }: StepActionsProps) {
  const { t } = useTranslation();
  const busy = runningAttempt(state) !== null;
  return (
    <ActFoot fault={missing ?? stepFault(state, t)}>
      <button type="button" disabled={isHandedIn(state)} onClick={() => send({ is: busy ? 'cancel' : 'back' })}>
        {t(busy ? 'prepare.cancel' : 'confirm.back')}
      </button>
      <button type="submit" className="primary" disabled={busy}>
        {submit}
      </button>
    </ActFoot>
  );
}
