import { useTranslation } from '../../../lib/i18n.ts';
import { ActFoot } from '../act-foot.tsx';
import { isHandedIn, runningAttempt } from './signing-state.ts';
import { stepFault } from './signing-told.tsx';
import type { StepProps } from './step-props.ts';

interface ActionsProps extends StepProps<'type' | 'choice' | 'file'> {
  submit: string;
  /** What the way back is called where there is no step before. */
  back?: string | undefined;
  /** What the person has left out, where no field of its own tells it. */
  missing?: string | undefined;
}

/** Under a step's form: what keeps it from going on; back or, while something runs, cancel; and on. */
export function StepActions({ state, send, submit, back, missing }: ActionsProps) {
  const { t } = useTranslation();
  const busy = runningAttempt(state) !== null;
  return (
    <ActFoot fault={missing ?? stepFault(state, t)}>
      <button type="button" disabled={isHandedIn(state)} onClick={() => send({ is: busy ? 'cancel' : 'back' })}>
        {busy ? t('word.cancel') : (back ?? t('word.back'))}
      </button>
      <button type="submit" className="primary" disabled={busy}>
        {submit}
      </button>
    </ActFoot>
  );
}
