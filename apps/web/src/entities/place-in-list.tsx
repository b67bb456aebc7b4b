import { useTranslation } from 'react-i18next';
import { Pagination } from '../ui/pagination.tsx';

/** Below a list: which of how many are shown, and the way to the other pages. */
export function PlaceInList({ page, size, total, onPage }: { page: number; size: number; total: number; onPage(page: number): void }) {
  const { t } = useTranslation();
  return (
    <div className="list-foot">
      <p className="muted" role="status">
        {t('entity.count', { from: page * size + 1, to: Math.min(total, (page + 1) * size), total })}
      </p>
      <Pagination
        page={page}
        pages={Math.ceil(total / size)}
        label={t('paging.label')}
        previous={t('paging.previous')}
        next={t('paging.next')}
        pageName={(number) => t('paging.page', { number })}
        onChange={onPage}
      />
    </div>
  );
}
