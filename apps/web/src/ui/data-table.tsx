import type { ReactNode } from 'react';

export interface Column<Item> {
  readonly key: string;
  readonly label: string;
  /** Numbers stand to the right. */
  readonly numeric?: boolean;
  /** What names the row: on a phone, where rows become cards, it is the card's heading. */
  readonly heading?: boolean;
  cell(item: Item): ReactNode;
}

interface Props<Item> {
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf(item: Item): string | number;
  /** The three left out: it has one order. */
  sort?: { by: string; direction: 'asc' | 'desc' };
  /** Columns that can be sorted by. */
  sorts?: readonly string[];
  onSort?(by: string, direction: 'asc' | 'desc'): void;
  /** The two left out: it is only read. */
  actionsLabel?: string;
  actions?(item: Item): ReactNode;
}

/** A table with sortable columns and actions; on a phone each row is a card with its heading first and its actions last. */
export function DataTable<Item>({ label, columns, items, keyOf, sort, sorts = [], onSort, actionsLabel, actions }: Props<Item>) {
  return (
    <div className="table-scroll">
      <table className="cards" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => {
              const isSorted = sort?.by === column.key;
              return (
                <th
                  key={column.key}
                  scope="col"
                  className={column.numeric ? 'number' : undefined}
                  aria-sort={isSorted ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
                >
                  {sorts.includes(column.key) ? (
                    <button type="button" onClick={() => onSort?.(column.key, isSorted && sort.direction === 'asc' ? 'desc' : 'asc')}>
                      {column.label} <span aria-hidden="true">{isSorted ? (sort.direction === 'asc' ? '↑' : '↓') : ''}</span>
                    </button>
                  ) : (
                    column.label
                  )}
                </th>
              );
            })}
            {actions && (
              <th scope="col" className="row-actions">
                {actionsLabel}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <td key={column.key} data-label={column.heading ? undefined : column.label} className={classOf(column)}>
                  {column.heading ? <strong>{column.cell(item)}</strong> : column.cell(item)}
                </td>
              ))}
              {actions && (
                <td className="row-actions">
                  <div className="actions">{actions(item)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Item>({ numeric, heading }: Column<Item>): string | undefined {
  if (heading) return 'card-heading';
  return numeric ? 'number' : undefined;
}
