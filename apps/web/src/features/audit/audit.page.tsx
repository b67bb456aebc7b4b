import { type AuditEvent, auditListMost, listAuditEvents } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { PlaceInList } from '../../entities/place-in-list.tsx';
import { useCall } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmailText } from '../../ui/email-text.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { AuditFilter } from './audit-filter.tsx';
import { reasonOf } from './event-words.ts';
import { askedOf, useAuditPlace } from './use-audit-place.ts';

const size = limits.entityPageSize;

/** What administrators and accounts did, newest first. */
export function Component() {
  const { t, i18n } = useTranslation();
  const [place, show] = useAuditPlace();
  const columns = useColumns();
  const query = askedOf({ ...place, query: useSettled(place.query) }, size);
  const { data, error, isFetching, refetch } = useCall(listAuditEvents, { query });
  const pages = data ? Math.ceil(data.total / size) : undefined;
  // An address may name a page that is not there (any more).
  useEffect(() => {
    if (pages !== undefined && pages > 0 && place.page >= pages) show({ page: pages - 1 });
  }, [pages, place.page]);
  const isWhole = Object.entries(place).every(([name, value]) => name === 'page' || value === '');
  return (
    <Page title={t('audit.title')}>
      <section className="card" aria-label={t('audit.title')} aria-busy={isFetching}>
        <AuditFilter place={place} show={show} />
        {error && <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />}
        {!data && !error && <Loading />}
        {data && data.total === 0 && <Empty text={t(isWhole ? 'audit.empty' : 'entity.notFound')} searched={!isWhole} />}
        {data && data.total > 0 && (
          <>
            <DataTable label={t('audit.title')} items={data.items} keyOf={({ id }) => id} columns={columns} />
            <PlaceInList page={place.page} size={size} data={data} onPage={(page) => show({ page })} />
          </>
        )}
        {data && data.total >= auditListMost && (
          <Notice>{t('audit.most', { most: new Intl.NumberFormat(i18n.language).format(auditListMost) })}</Notice>
        )}
      </section>
    </Page>
  );
}

function useColumns(): Column<AuditEvent>[] {
  const { t } = useTranslation();
  const column = (key: string) => ({ key, label: t(`audit.column.${key}`) });
  return [
    { ...column('at'), cell: ({ at }) => <span className="moment">{formatDateTime(at)}</span> },
    { ...column('kind'), heading: true, cell: ({ kind }) => t([`audit.kind.${kind}`, kind]) },
    { ...column('outcome'), cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    { ...column('account'), cell: (event) => <Who event={event} /> },
    { ...column('subject'), cell: (event) => <About event={event} /> },
    { ...column('reason'), cell: (event) => reasonOf(event, t) || <span className="muted">—</span> },
  ];
}

const badges = { success: 'badge-good', failure: 'badge-bad', refused: 'badge-wait' } as const;

function Outcome({ outcome }: Pick<AuditEvent, 'outcome'>) {
  const { t } = useTranslation();
  return <span className={`badge ${badges[outcome]}`}>{t(`audit.outcome.${outcome}`)}</span>;
}

function Who({ event: { account, accountId } }: { event: AuditEvent }) {
  const { t } = useTranslation();
  if (account)
    return (
      <Link to={`/admin/users/${account.id}/edit`}>
        <EmailText email={account.email} />
      </Link>
    );
  return <span className="muted">{t(accountId === null ? 'audit.nobody' : 'audit.gone')}</span>;
}

function About({ event: { subject, subjectAccount } }: { event: AuditEvent }) {
  if (subjectAccount)
    return (
      <Link to={`/admin/users/${subjectAccount.id}/edit`}>
        <EmailText email={subjectAccount.email} />
      </Link>
    );
  if (subject === null) return <span className="muted">—</span>;
  return <code>{subject}</code>;
}
