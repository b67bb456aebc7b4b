import { useTranslation } from '../lib/i18n.ts';
import { formatDateTime } from '../lib/format.ts';
import { Notice } from './page.tsx';

/** Where the documents of a process would be: that they are kept no longer, since when, and what stays. Nothing while they are there. */
export function FilesRemoved({ date }: { date: string | null }) {
  const { t } = useTranslation();
  return date !== null && <Notice>{t('files.removed', { date: formatDateTime(date) })}</Notice>;
}
