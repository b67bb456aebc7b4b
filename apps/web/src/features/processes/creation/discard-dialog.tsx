import { useTranslation } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';

/** Asked before what was filled in is thrown away. */
export function DiscardDialog({ onKeep, onDiscard }: { onKeep(): void; onDiscard(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('prepare.discardTitle')} closeLabel={t('dialog.close')} onClose={onKeep}>
      <p>{t('prepare.discardQuestion')}</p>
      <div className="actions actions-end">
        <button type="button" onClick={onKeep}>
          {t('prepare.keep')}
        </button>
        <button type="button" className="danger" onClick={onDiscard}>
          {t('prepare.discard')}
        </button>
      </div>
    </Dialog>
  );
}
