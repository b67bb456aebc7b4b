import { type JobKind, jobsCountedTo, listJobKinds, listStuckProcesses, retryStuckProcess, type StuckProcess } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { useAct, useCall } from '../../lib/calls.ts';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { codeText, errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { showToast } from '../../ui/toasts.ts';
import { Answer } from './answer.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { wordOf } from './words.ts';

const EVERY_MS = 10_000;

export function Component() {
  const { t } = useTranslation();
  return (
    <Page title={t('jobs.title')}>
      <Stuck />
      <FailedJobs />
      <Kinds />
    </Page>
  );
}

function Stuck() {
  const { t } = useTranslation();
  const stuck = useCall(listStuckProcesses, {}, { pollAfter: () => EVERY_MS });
  const { act, busy, failure } = useAct(retryStuckProcess, [listStuckProcesses, listJobKinds]);
  const retry = async (id: string) => {
    if (await act({ params: { id } })) showToast({ text: t('jobs.retried') });
  };
  return (
    <section className="card" aria-labelledby="stuck">
      <h2 id="stuck">{t('jobs.stuck')}</h2>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <Answer asked={stuck}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="hint">{t('jobs.noneStuck')}</p>
          ) : (
            <DataTable
              label={t('jobs.stuck')}
              items={items}
              keyOf={({ id }) => id}
              columns={[
                { key: 'owner', label: t('jobs.owner'), heading: true, cell: ({ owner }) => owner },
                { key: 'id', label: t('jobs.process'), cell: ({ id }) => <code>{id.slice(0, 8)}…</code> },
                { key: 'phase', label: t('jobs.phase'), cell: ({ phase }) => t(`jobs.phase.${phase}`) },
                { key: 'problem', label: t('jobs.reason'), cell: (one) => reasonOf(one) },
                {
                  key: 'since',
                  label: t('jobs.since'),
                  cell: ({ waitingSince, startedAt }) => <span className="moment">{formatDateTime(waitingSince ?? startedAt)}</span>,
                },
              ]}
              actionsLabel={t('jobs.acts')}
              actions={({ id, owner, canRetry }) =>
                canRetry && (
                  <button
                    type="button"
                    disabled={busy}
                    aria-label={t('jobs.retryOf', { what: `${owner}, ${id.slice(0, 8)}` })}
                    onClick={() => void retry(id)}
                  >
                    {t('jobs.retry')}
                  </button>
                )
              }
            />
          )
        }
      </Answer>
    </section>
  );

  function reasonOf({ problem, problemParams, phase }: StuckProcess): string {
    // The owner's sentence names their file, which is not told here.
    return problem === null ? t(`jobs.waits.${phase}`) : codeText(problem, t, { name: t('jobs.aFile'), ...problemParams });
  }
}

function Kinds() {
  const { t } = useTranslation();
  const kinds = useCall(listJobKinds, {}, { pollAfter: () => EVERY_MS });
  return (
    <section className="card" aria-labelledby="kinds">
      <h2 id="kinds">{t('jobs.kinds')}</h2>
      <Answer asked={kinds}>
        {({ items }) => (
          <DataTable
            label={t('jobs.kinds')}
            items={items.filter(isOfInterest)}
            keyOf={({ name }) => name}
            columns={[
              {
                key: 'name',
                label: t('jobs.kind'),
                heading: true,
                cell: ({ name }) => <KindName name={name} />,
              },
              { key: 'waiting', label: t('jobs.waiting'), numeric: true, cell: ({ waiting }) => countOf(waiting) },
              { key: 'active', label: t('jobs.active'), numeric: true, cell: ({ active }) => countOf(active) },
              {
                key: 'overdue',
                label: t('jobs.overdue'),
                numeric: true,
                cell: ({ overdue }) => (overdue === 0 ? '0' : <span className="badge badge-bad">{countOf(overdue)}</span>),
              },
              {
                key: 'failed',
                label: t('jobs.failed'),
                numeric: true,
                cell: ({ failed }) => (failed === 0 ? '0' : <span className="badge badge-wait">{countOf(failed)}</span>),
              },
              {
                key: 'last',
                label: t('jobs.lastDone'),
                cell: ({ lastDoneAt }) => <span className="moment">{formatDateTime(lastDoneAt)}</span>,
              },
            ]}
          />
        )}
      </Answer>
    </section>
  );
}

/** Where the last tries of a kind go that nobody saw fail: of interest when there is one. */
/** Beyond what is counted there may be more. */
function countOf(count: number): string {
  return count >= jobsCountedTo ? `${formatCount(count)}+` : formatCount(count);
}

function isOfInterest({ name, waiting, active, failed }: JobKind): boolean {
  return !name.endsWith('.dead') || waiting + active + failed > 0;
}

function KindName({ name }: { name: string }) {
  const { t } = useTranslation();
  const word = wordOf(t, 'jobs.kind', name);
  return (
    <span className="told">
      {word !== name && word} <code>{name}</code>
    </span>
  );
}
