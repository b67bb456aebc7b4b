import { listFailedJobs, listJobKinds, retryJob } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { PlaceInList } from '../../entities/place-in-list.tsx';
import { useAct, useCall } from '../../lib/calls.ts';
import { formatCount, formatDateTime } from '../../lib/format.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { showToast } from '../../ui/toasts.ts';
import { Answer } from './answer.tsx';
import { wordOf } from './words.ts';

const EVERY_MS = 10_000;
const SIZE = 20;

/** Jobs whose last try failed, page by page. */
export function FailedJobs() {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const failed = useCall(listFailedJobs, { query: { page, size: SIZE } }, { pollAfter: () => EVERY_MS });
  const { act, busy, failure } = useAct(retryJob, [listFailedJobs, listJobKinds]);
  const retry = async (params: { name: string; id: string }) => {
    if (await act({ params })) showToast({ text: t('jobs.retried') });
  };
  return (
    <section className="card" aria-labelledby="failed">
      <h2 id="failed">{t('jobs.failedJobs')}</h2>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      <Answer asked={failed}>
        {(data) =>
          data.total === 0 ? (
            <p className="hint">{t('jobs.noneFailed')}</p>
          ) : (
            <>
              <DataTable
                label={t('jobs.failedJobs')}
                items={data.items}
                keyOf={({ id }) => id}
                columns={[
                  { key: 'name', label: t('jobs.kind'), heading: true, cell: ({ name }) => wordOf(t, 'jobs.kind', name) },
                  {
                    key: 'failedAt',
                    label: t('jobs.failedAt'),
                    cell: ({ failedAt }) => <span className="moment">{formatDateTime(failedAt)}</span>,
                  },
                  { key: 'tries', label: t('jobs.tries'), numeric: true, cell: ({ tries }) => formatCount(tries) },
                  { key: 'reason', label: t('jobs.reason'), cell: ({ reason }) => (reason === '' ? '—' : <code>{reason}</code>) },
                ]}
                actionsLabel={t('jobs.acts')}
                actions={({ name, id }) => (
                  <button
                    type="button"
                    disabled={busy}
                    aria-label={t('jobs.retryOf', { what: wordOf(t, 'jobs.kind', name) })}
                    onClick={() => void retry({ name, id })}
                  >
                    {t('jobs.retry')}
                  </button>
                )}
              />
              <PlaceInList page={page} size={SIZE} data={data} onPage={setPage} />
            </>
          )
        }
      </Answer>
    </section>
  );
}
