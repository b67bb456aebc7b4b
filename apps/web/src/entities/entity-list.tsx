import { limits } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useTranslation } from '../lib/i18n.ts';
import { useCall } from '../lib/calls.ts';
import { useListPlace } from '../lib/list-address.ts';
import { useSettled } from '../lib/use-settled.ts';
import { errorText, retryOf } from '../shell/error-text.ts';
import { Notice, Page } from '../shell/page.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Icon } from '../ui/icons.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { isNumeric } from './entity-field.ts';
import { EntityValue } from './entity-value.tsx';
import { type EntityView, nameOf, shownFields } from './entity-view.ts';
import { pagesOf, PlaceInList } from './place-in-list.tsx';
import type { Item } from './use-saving.ts';

const size = limits.entityPageSize;

/** The list of an entity (section 2): sort by column, search, refresh, five page buttons, item count; the address says where one is. */
export function EntityList({ view }: { view: EntityView }) {
  const { t } = useTranslation();
  const { state, search } = useLocation();
  const message = (state as { message?: string } | null)?.message;
  const [place, show] = useListPlace(view.entity.sorts, { sortBy: view.entity.sorts[0] ?? 'id', direction: 'asc' });
  const [words, setWords] = useState('');
  const query = { page: place.page, size, sort: `${place.sortBy},${place.direction}`, query: useSettled(words).trim() };
  const { data, error, isFetching, refetch } = useCall(view.entity.search, { query });
  const pages = data ? pagesOf(data, size) : undefined;
  // An address may name a page that is not there (any more).
  useEffect(() => {
    if (pages !== undefined && pages > 0 && place.page >= pages) show({ page: pages - 1 });
  }, [pages, place.page]);
  return (
    <Page title={t(`${view.words}.title`)} frame={view.frame ?? 'list'}>
      {view.hasAbout && <p className="hint">{t(`${view.words}.about`)}</p>}
      {message && <Notice kind="success">{t(message)}</Notice>}
      <section className="card" aria-label={t(`${view.words}.title`)} aria-busy={isFetching}>
        <div className="list-head">
          <input
            type="search"
            aria-label={t('entity.search')}
            placeholder={t('entity.search')}
            value={words}
            maxLength={200}
            onChange={(event) => {
              setWords(event.target.value);
              if (place.page > 0) show({ page: 0 });
            }}
          />
          <button type="button" disabled={isFetching} onClick={() => void refetch()}>
            {t('entity.refresh')}
          </button>
          <Link className="button primary" to={`${view.address}/new`} state={{ list: search }}>
            <Icon name="plus" /> {t(`${view.words}.new`)}
          </Link>
        </div>
        {error && <Failed text={t([`${view.words}.listFailed`, errorText(error, t)])} onRetry={retryOf(error, refetch)} />}
        {!data && !error && <Loading />}
        {data && data.total === 0 && query.query === '' && <Empty text={t(`${view.words}.empty`)} />}
        {data && data.total === 0 && query.query !== '' && (
          <Empty text={t('entity.notFound')} searched>
            <button type="button" onClick={() => setWords('')}>
              {t('entity.clearSearch')}
            </button>
          </Empty>
        )}
        {data && data.total > 0 && <Records view={view} items={data.items as Item[]} place={place} onSort={show} />}
        {data && data.total > 0 && <PlaceInList page={place.page} size={size} data={data} onPage={(page) => show({ page })} />}
      </section>
      <Outlet />
    </Page>
  );
}

function Records({
  view,
  items,
  place,
  onSort,
}: {
  view: EntityView;
  items: readonly Item[];
  place: { sortBy: string; direction: 'asc' | 'desc' };
  onSort(change: { sortBy: string; direction: 'asc' | 'desc'; page: number }): void;
}) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t(`${view.words}.title`)}
      items={items}
      keyOf={({ id }) => id}
      sort={{ by: place.sortBy, direction: place.direction }}
      sorts={view.entity.sorts}
      onSort={(sortBy, direction) => onSort({ sortBy, direction, page: 0 })}
      columns={useColumns(view)}
      actionsLabel={t('entity.actions')}
      actions={(item) => <Actions view={view} item={item} />}
    />
  );
}

/** The number, where a record has one; what names it, which opens it; its other fields; and what the room adds. */
function useColumns(view: EntityView): Column<Item>[] {
  const { t } = useTranslation();
  const { search } = useLocation();
  const [first, ...rest] = shownFields(view).filter(({ name }) => !view.apart?.includes(name));
  const open = (item: Item) => (
    <Link to={`${view.address}/${item.id}${'Editor' in view.form ? '/edit' : ''}`} state={{ list: search }}>
      {nameOf(view, item)}
    </Link>
  );
  const number = {
    key: 'id',
    label: t('entity.id'),
    ...(first ? { numeric: true, cell: ({ id }: Item) => id } : { heading: true, cell: open }),
  };
  return [
    ...(view.entity.id === 'integer' ? [number] : []),
    ...(first ? [{ key: first.name, label: t(`${view.words}.field.${first.name}`), heading: true, cell: open }] : []),
    ...rest.map((field) => ({
      key: field.name,
      label: t(`${view.words}.field.${field.name}`),
      ...(isNumeric(field) ? { numeric: true } : {}),
      cell: ({ [field.name]: value }: Item) => <EntityValue view={view} field={field} value={value} />,
    })),
    ...(view.columns ?? []).map(({ key, numeric, cell }) => ({
      key,
      label: t(`${view.words}.column.${key}`),
      ...(numeric ? { numeric } : {}),
      cell: (item: Item) => cell(item as never),
    })),
  ];
}

function Actions({ view, item }: { view: EntityView; item: Item }) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const name = nameOf(view, item);
  const at = `${view.address}/${item.id}`;
  if (view.canWrite && !view.canWrite(item as never)) return null;
  return (
    <>
      <Link className="button" to={`${at}/edit`} state={{ list: search }} aria-label={t('entity.editOf', { name })}>
        {t('entity.edit')}
      </Link>
      <Link className="button" to={`${at}/delete${search}`} aria-label={t('entity.deleteOf', { name })}>
        {t('entity.delete')}
      </Link>
    </>
  );
}
