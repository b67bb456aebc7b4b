import { useTranslation } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';

/** Over the whole window while a file is held over it. For the pointer alone: the button does the same. */
export function DropVeil() {
  const { t } = useTranslation();
  return (
    <div className="drop-veil" aria-hidden="true">
      <p>
        <Icon name="document" /> {t('verify.dropHere')}
      </p>
    </div>
  );
}
