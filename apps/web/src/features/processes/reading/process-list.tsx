import type { getCounterInfos, getProcessesInfos, Reply } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useTranslation } from '../../../lib/i18n.ts';
import { formatCount } from '../../../lib/format.ts';
import { Pagination } from '../../../ui/pagination.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { FirstSteps } from './first-steps.tsx';
import { ProcessTable } from './process-table.tsx';
import { type Counter, counters, standings, useProcessList } from './use-process-list.ts';

/** One's processes, those asked of others and those asked of oneself. */
export function ProcessList() {
  const { t } = useTranslation();
  const { state, show, filters, toggle, words, look, standing, stand, isFiltered, counts, data, isError, refetch, pages } =
    useProcessList();
  if (data?.total === 0 && !isFiltered)
    return (
      <section className="card" aria-label={t('home.list')}>
        <FirstSteps />
      </section>
    );
  return (
    <>
      <Counters counts={counts} chosen={filters} onToggle={toggle} />
      <section className="card" aria-label={t('home.list')}>
        <div className="list-tools">
          <input
            type="search"
            aria-label={t('home.search')}
            placeholder={t('home.search')}
            value={words}
            maxLength={200}
            onChange={(event) => look(event.target.value)}
          />
          <select
            aria-label={t('home.standing')}
            value={standing}
            onChange={(event) => stand(standings.find((one) => one === event.target.value) ?? '')}
          >
            <option value="">
              {t('home.standing')}: {t('home.standingAny')}
            </option>
            {standings.map((one) => (
              <option key={one} value={one}>
                {t(`status.${one}`)}
              </option>
            ))}
          </select>
        </div>
        {isError && <Failed text={t('home.loadFailed')} onRetry={() => void refetch()} />}
        {!data && !isError && <Loading rows={4} />}
        {data && data.total === 0 && <Empty text={t('home.emptyFiltered')} searched />}
        {data && data.total > 0 && (
          <ProcessTable items={data.signatureProcesses} sortBy={state.sortBy} direction={state.direction} onSort={show} />
        )}
        {data && data.total > 0 && <PlaceInList page={state.page} pages={pages ?? 0} data={data} onPage={(page) => show({ page })} />}
      </section>
    </>
  );
}

/** What stands there of how many, and the pages. */
function PlaceInList({
  page,
  pages,
  data: { total, isTotalExact, signatureProcesses },
  onPage,
}: {
  page: number;
  pages: number;
  data: Reply<typeof getProcessesInfos>;
  onPage(page: number): void;
}) {
  const { t } = useTranslation();
  const from = page * limits.processPageSize + 1;
  const place = { from: formatCount(from), to: formatCount(from + signatureProcesses.length - 1), total: formatCount(total) };
  return (
    <div className="list-foot">
      <p className="muted" role="status">
        {signatureProcesses.length > 0 && t(isTotalExact ? 'entity.count' : 'entity.countMore', place)}
      </p>
      <Pagination
        page={page}
        pages={pages}
        label={t('paging.label')}
        previous={t('paging.previous')}
        next={t('paging.next')}
        pageName={(number) => t('paging.page', { number })}
        onChange={onPage}
      />
    </div>
  );
}

interface CountersProps {
  counts: Reply<typeof getCounterInfos> | undefined;
  chosen: readonly Counter[];
  onToggle(counter: Counter): void;
}

function Counters({ counts, chosen, onToggle }: CountersProps) {
  const { t } = useTranslation();
  return (
    <div className="counters">
      {counters.map((counter) => (
        <button key={counter} type="button" className="counter" aria-pressed={chosen.includes(counter)} onClick={() => onToggle(counter)}>
          <strong>{counts ? formatCount(counts[counter]) : '–'}</strong>
          <span>{t(`home.${counter}`)}</span>
        </button>
      ))}
    </div>
  );
}
