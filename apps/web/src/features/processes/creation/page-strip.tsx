import { useTranslation } from '../../../lib/i18n.ts';
import { PageThumbnail } from './page-thumbnail.tsx';
import type { DraftFile } from './process-draft.ts';
import { useFileLook } from './use-file-look.ts';

/** All pages of a document, small: a press goes there; a mark where somebody signs. */
export function PageStrip({ file, marked, onGo }: { file: DraftFile; marked: ReadonlySet<number>; onGo(page: number): void }) {
  const { t } = useTranslation();
  const pageCount = useFileLook(file.file)?.facts?.pageCount ?? 0;
  if (pageCount < 2) return null;
  return (
    <nav className="page-strip" aria-label={t('confirm.pages')}>
      {Array.from({ length: Math.min(pageCount, 500) }, (_, index) => (
        <button
          key={index}
          type="button"
          className="quiet"
          aria-label={t(marked.has(index + 1) ? 'confirm.goToSigned' : 'confirm.goToPage', { page: index + 1 })}
          onClick={() => onGo(index + 1)}
        >
          <PageThumbnail file={file.file} number={index + 1} width={64} />
          <span aria-hidden="true">
            {index + 1}
            {marked.has(index + 1) && ' ✍'}
          </span>
        </button>
      ))}
    </nav>
  );
}
