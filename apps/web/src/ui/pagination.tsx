import { limits } from '@lavra/domain';
import { Icon } from './icons.tsx';

interface PaginationProps {
  /** Zero-based. */
  page: number;
  pages: number;
  label: string;
  previous: string;
  next: string;
  pageName(number: number): string;
  onChange(page: number): void;
}

/** A word; on a phone an arrow, so that all stand in one row. */
function Step({ word, isBack = false }: { word: string; isBack?: boolean }) {
  return (
    <>
      <span className="pagination-word">{word}</span>
      <span className={isBack ? 'pagination-arrow pagination-back' : 'pagination-arrow'}>
        <Icon name="chevron" />
      </span>
    </>
  );
}

/** Five page buttons around the current one, and named arrows. */
export function Pagination({ page, pages, label, previous, next, pageName, onChange }: PaginationProps) {
  if (pages <= 1) return null;
  const first = Math.max(0, Math.min(page - Math.floor(limits.paginationButtons / 2), pages - limits.paginationButtons));
  const numbers = Array.from({ length: Math.min(limits.paginationButtons, pages) }, (_, index) => first + index);
  return (
    <nav className="pagination" aria-label={label}>
      <button type="button" disabled={page === 0} onClick={() => onChange(page - 1)}>
        <Step word={previous} isBack />
      </button>
      {numbers.map((number) => (
        <button
          key={number}
          type="button"
          aria-label={pageName(number + 1)}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onChange(number)}
        >
          {number + 1}
        </button>
      ))}
      <button type="button" disabled={page >= pages - 1} onClick={() => onChange(page + 1)}>
        <Step word={next} />
      </button>
    </nav>
  );
}
