import { useTranslation } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import type { UsageAlert } from './usage-alert.ts';
import type { Progress } from './use-creation.ts';

/** How far the creation is; at its end, how much of the plan is used where that is worth a word. */
export function CreationProgress({ progress, onEnd }: { progress: Progress; onEnd(): void }) {
  const { t } = useTranslation();
  if (typeof progress === 'object' && 'shouldAlert' in progress) {
    return (
      <Dialog key="usage" title={t('confirm.usageTitle')} closeLabel={t('dialog.close')} onClose={onEnd}>
        <UsageWords usage={progress} />
        <div className="actions actions-end">
          <button type="button" className="primary" onClick={onEnd}>
            {t('confirm.usageOk')}
          </button>
        </div>
      </Dialog>
    );
  }
  const done = progress === 'done';
  return (
    <Dialog title={t(done ? 'confirm.doneTitle' : 'confirm.creating')} closeLabel={t('dialog.close')} busy onClose={() => {}}>
      <div className="busy" role="status">
        {!done && <span className="spinner" />}
        <p>{t(done ? 'confirm.done' : `confirm.step.${progress.step}`)}</p>
      </div>
      {!done && progress.part !== undefined && <progress value={progress.part} max={1} aria-label={t('confirm.step.upload')} />}
    </Dialog>
  );
}

function UsageWords({ usage: { currentSignatures: current, planSignatures: plan, type } }: { usage: UsageAlert }) {
  const { t } = useTranslation();
  if (plan === null || type === null) return null;
  const state = current >= plan ? 'over' : 'near';
  return (
    <>
      <p>{t(`confirm.usage.${state}.${type}`, { current, plan })}</p>
      <p>{t(`confirm.usage.${state}Advice`)}</p>
    </>
  );
}
