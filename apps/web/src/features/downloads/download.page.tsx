import { downloadEvidence, downloadSelection, downloadSignature, downloadSignaturePage, getDownloadItems, type Reply } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useParams, useSearchParams } from 'react-router';
import { ApiError, callAddress, callApi, saveFile } from '../../lib/api-client.ts';
import { formatBytes } from '../../lib/format.ts';
import { errorText } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';

type Items = Reply<typeof getDownloadItems>;

const badges: Record<Items['items'][number]['status'], string> = {
  SIGNED: 'badge-good',
  IN_PROGRESS: '',
  REJECTED: 'badge-bad',
  EXPIRED: 'badge-wait',
  CANCELED: 'badge-bad',
};

const calls = { document: downloadSignature, page: downloadSignaturePage, evidence: downloadEvidence } as const;

export function Component() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const processId = useParams()['id'] ?? '';
  const user = useSearchParams()[0].get('user') ?? undefined;
  const { data, error } = useQuery({
    queryKey: ['download', processId, user],
    queryFn: () => callApi(getDownloadItems, { params: { processId }, query: { user } }),
  });
  // The owner comes from a mail, perhaps without a session: signing in brings them back here.
  if (user === undefined && error instanceof ApiError && error.status === 401)
    return <Navigate to="/login" replace state={{ from: pathname }} />;
  return (
    <Page title={t('download.title')}>
      {error && <Notice kind="error">{errorText(error, t)}</Notice>}
      {!data && !error && <p>{t('shell.loading')}</p>}
      {data && <Selection processId={processId} user={user} data={data} />}
    </Page>
  );
}

function Selection({ processId, user, data }: { processId: string; user: string | undefined; data: Items }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [message, setMessage] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const shown = data.items.slice(page * limits.downloadPageSize, (page + 1) * limits.downloadPageSize);
  function choose(next: readonly string[]): void {
    setMessage(null);
    setChosen(next);
  }
  const toggle = (id: string) => choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  async function download(): Promise<void> {
    const [only] = data.items.filter(({ id }) => chosen.includes(id));
    if (!only) return setMessage(t('document.nothingSelected'));
    setMessage(null);
    setBusy(true);
    const single = callAddress(calls[only.kind], { processId, documentId: only.documentId ?? processId }, { user });
    const several = callAddress(downloadSelection, { processId }, { user, items: chosen.join(',') });
    try {
      await (chosen.length === 1 ? saveFile(single, only.name) : saveFile(several, 'assinaturas.zip'));
    } catch (error) {
      setMessage(errorText(error, t));
    }
    setBusy(false);
  }
  return (
    <section className="card">
      <h2>{data.title}</h2>
      {!data.available && (
        <Notice>{t(data.items.some(({ status }) => status === 'IN_PROGRESS') ? 'download.notYet' : 'download.never')}</Notice>
      )}
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('download.select')}</span>
            </th>
            <th scope="col">{t('download.name')}</th>
            <th scope="col">{t('home.column.status')}</th>
            <th scope="col">{t('download.size')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr key={item.id}>
              <td>
                <input
                  type="checkbox"
                  aria-label={t('download.selectNamed', { name: item.name })}
                  checked={chosen.includes(item.id)}
                  disabled={!data.available}
                  onChange={() => toggle(item.id)}
                />
              </td>
              <td data-label={t('download.name')}>{item.name}</td>
              <td data-label={t('home.column.status')}>
                <span className={`badge ${badges[item.status]}`}>{t(`download.status.${item.status}`)}</span>
              </td>
              <td data-label={t('download.size')}>{formatBytes(item.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pagination
        page={page}
        pages={Math.ceil(data.items.length / limits.downloadPageSize)}
        label={t('paging.label')}
        previous={t('paging.previous')}
        next={t('paging.next')}
        pageName={(number) => t('paging.page', { number })}
        onChange={setPage}
      />
      {message && <Notice kind="warning">{message}</Notice>}
      <div className="actions">
        <button
          type="button"
          disabled={!data.available}
          onClick={() => choose(chosen.length === data.items.length ? [] : data.items.map(({ id }) => id))}
        >
          {t(chosen.length === data.items.length ? 'download.none' : 'download.all')}
        </button>
        <button type="button" className="primary" disabled={!data.available || busy} onClick={() => void download()}>
          {t('download.submit')}
        </button>
      </div>
    </section>
  );
}
