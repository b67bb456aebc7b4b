import {
  downloadEvidence,
  downloadSelection,
  downloadSignature,
  downloadSignaturePage,
  downloadWithFooter,
  getDownloadItems,
  type Reply,
} from '@lavra/api';
import { limits, printableFileName } from '@lavra/domain';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useParams, useSearchParams } from 'react-router';
import { hasChosenLocale, offerLocale, useTranslation } from '../../lib/i18n.ts';
import { ApiError, callAddress, saveFile } from '../../lib/api-client.ts';
import { useCall } from '../../lib/calls.ts';
import { formatBytes } from '../../lib/format.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { FilesRemoved } from '../../shell/files-removed.tsx';
import { Notice, Page } from '../../shell/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Failed, Loading } from '../../ui/states.tsx';

type Items = Reply<typeof getDownloadItems>;
type Item = Items['items'][number];

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
  const { data, error, refetch } = useCall(getDownloadItems, { params: { processId }, query: { user } });
  const theirs = data?.langKey;
  useEffect(() => {
    if (theirs && !hasChosenLocale()) void offerLocale(theirs);
  }, [theirs]);
  // The owner comes from a mail, perhaps without a session: signing in brings them back here.
  if (user === undefined && error instanceof ApiError && error.status === 401)
    return <Navigate to="/login" replace state={{ from: pathname }} />;
  return (
    <Page title={t('download.title')}>
      {error && <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />}
      {!data && !error && <Loading />}
      {data && <Selection processId={processId} user={user} data={data} />}
    </Page>
  );
}

interface SelectionProps {
  processId: string;
  user: string | undefined;
  data: Items;
}

/** Which items are chosen, and the one file or the ZIP of several that they come as. */
function useSelection({ processId, user, data: { items } }: SelectionProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [message, setMessage] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  function choose(next: readonly string[]): void {
    setMessage(null);
    setChosen(next);
  }
  async function save(file: () => Promise<void>): Promise<void> {
    setMessage(null);
    setBusy(true);
    await file().catch((error: unknown) => setMessage(errorText(error, t)));
    setBusy(false);
  }
  const address = (item: Item) => callAddress(calls[item.kind], { processId, documentId: item.documentId ?? processId }, { user });
  const one = (item: Item) => save(() => saveFile(address(item), item.name));
  function several(ids: readonly string[]): Promise<void> {
    const zip = callAddress(downloadSelection, { processId }, { user, items: ids.join(',') });
    return save(() => saveFile(zip, 'assinaturas.zip'));
  }
  function download(): void {
    const [only] = items.filter(({ id }) => chosen.includes(id));
    if (!only) setMessage(t('document.nothingSelected'));
    else void (chosen.length === 1 ? one(only) : several(chosen));
  }
  /** The copy is made when it is first asked for: a moment. */
  function print(item: Item): Promise<void> {
    const copy = callAddress(downloadWithFooter, { id: item.documentId ?? '' }, { user });
    return save(() => saveFile(copy, printableFileName(item.uploadedName ?? item.name)));
  }
  return { chosen, choose, message, busy, download, one, several, print };
}

function Selection(props: SelectionProps) {
  const { t } = useTranslation();
  const { available, filesRemovedDate, items, title } = props.data;
  const offered = items.filter((item) => item.available);
  const { chosen, choose, message, busy, download, one, several, print } = useSelection(props);
  const [page, setPage] = useState(0);
  const isAll = chosen.length === offered.length;
  return (
    <section className="card">
      <h2>{title}</h2>
      <FilesRemoved date={filesRemovedDate} />
      {!available && filesRemovedDate === null && (
        <Notice>{t(items.some(({ status }) => status === 'IN_PROGRESS') ? 'download.notYet' : 'download.never')}</Notice>
      )}
      <ItemTable
        items={items.slice(page * limits.downloadPageSize, (page + 1) * limits.downloadPageSize)}
        chosen={chosen}
        onChosen={choose}
        busy={busy}
        onSave={(item) => void one(item)}
        onPrint={(item) => void print(item)}
      />
      <Pagination
        page={page}
        pages={Math.ceil(items.length / limits.downloadPageSize)}
        label={t('paging.label')}
        previous={t('paging.previous')}
        next={t('paging.next')}
        pageName={(number) => t('paging.page', { number })}
        onChange={setPage}
      />
      {message && <Notice kind="warning">{message}</Notice>}
      <div className="actions">
        <button type="button" disabled={!available} onClick={() => choose(isAll ? [] : offered.map(({ id }) => id))}>
          {t(isAll ? 'download.none' : 'download.all')}
        </button>
        <button type="button" disabled={!available || busy} onClick={download}>
          {t('download.submit')}
        </button>
        {offered.length > 1 && (
          <button type="button" className="primary" disabled={busy} onClick={() => void several(offered.map(({ id }) => id))}>
            {t('download.everything')}
          </button>
        )}
      </div>
    </section>
  );
}

interface ItemTableProps {
  items: Items['items'];
  chosen: readonly string[];
  onChosen(chosen: readonly string[]): void;
  busy: boolean;
  onSave(item: Item): void;
  onPrint(item: Item): void;
}

function ItemTable({ items, chosen, onChosen, busy, onSave, onPrint }: ItemTableProps) {
  const { t } = useTranslation();
  const toggle = (id: string) => onChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <table className="cards">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t('download.select')}</span>
          </th>
          <th scope="col">{t('download.name')}</th>
          <th scope="col">{t('word.status')}</th>
          <th scope="col">{t('download.size')}</th>
          <th scope="col" className="row-actions">
            <span className="visually-hidden">{t('download.print')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <td className="card-toggle">
              <input
                type="checkbox"
                aria-label={t('download.selectNamed', { name: item.name })}
                checked={chosen.includes(item.id)}
                disabled={!item.available}
                onChange={() => toggle(item.id)}
              />
            </td>
            <td className="card-heading">
              {item.available ? <NameButton name={item.name} busy={busy} onPress={() => onSave(item)} /> : item.name}
            </td>
            <td className="card-state">
              <span className={`badge ${badges[item.status]}`}>{t(`download.status.${item.status}`)}</span>
            </td>
            <td data-label={t('download.size')}>{formatBytes(item.size)}</td>
            <td className="row-actions">
              {item.available && item.kind === 'document' && (
                <button
                  type="button"
                  disabled={busy}
                  aria-label={t('download.printNamed', { name: item.name })}
                  onClick={() => onPrint(item)}
                >
                  {t('download.print')}
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NameButton({ name, busy, onPress }: { name: string; busy: boolean; onPress(): void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className="download-name" disabled={busy} aria-label={t('download.one', { name })} onClick={onPress}>
      {name}
    </button>
  );
}
