import { limits } from '@lavra/domain';

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

/** Five page buttons around the current one, and named arrows. */
export function Pagination({ page, pages, label, previous, next, pageName, onChange }: PaginationProps) {
  if (pages <= 1) return null;
  const first = Math.max(0, Math.min(page - Math.floor(limits.paginationButtons / 2), pages - limits.paginationButtons));
  const numbers = Array.from({ length: Math.min(limits.paginationButtons, pages) }, (_, index) => first + index);
  return (
    <nav className="pagination" aria-label={label}>
      <button type="button" disabled={page === 0} onClick={() => onChange(page - 1)}>
        {previous}
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
        {next}
      </button>
    </nav>
  );
}
