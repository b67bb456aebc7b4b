import { useTranslation } from '../lib/i18n.ts';
import { formatCount } from '../lib/format.ts';
import { Pagination } from '../ui/pagination.tsx';

/** A page of a list; where `isTotalExact` is false, there are more than `total`. */
interface Listed {
  items: readonly unknown[];
  total: number;
  isTotalExact?: boolean | undefined;
}

/** How many pages there are, as far as one knows: beyond what was counted there is one more. */
export function pagesOf({ total, isTotalExact = true }: Listed, size: number): number {
  return Math.ceil(total / size) + (isTotalExact ? 0 : 1);
}

/** Below a list: which of how many are shown, and the way to the other pages. */
export function PlaceInList({ page, size, data, onPage }: { page: number; size: number; data: Listed; onPage(page: number): void }) {
  const { t } = useTranslation();
  const { items, total, isTotalExact = true } = data;
  const place = { from: formatCount(page * size + 1), to: formatCount(page * size + items.length), total: formatCount(total) };
  return (
    <div className="list-foot">
      <p className="muted" role="status">
        {items.length > 0 && t(isTotalExact ? 'entity.count' : 'entity.countMore', place)}
      </p>
      <Pagination
        page={page}
        pages={pagesOf(data, size)}
        label={t('paging.label')}
        previous={t('paging.previous')}
        next={t('paging.next')}
        pageName={(number) => t('paging.page', { number })}
        onChange={onPage}
      />
    </div>
  );
}
