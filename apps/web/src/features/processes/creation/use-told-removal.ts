import { useTranslation } from '../../../lib/i18n.ts';
import { showToast } from '../../../ui/toasts.ts';

/** Tells who or what left a list of the draft, with the way back. `undo` starts from the draft as it is by then. */
export function useToldRemoval(): (name: string, undo: () => void) => void {
  const { t } = useTranslation();
  return (name, undo) => showToast({ text: t('prepare.removed', { name }), action: { label: t('prepare.undo'), act: undo } });
}
