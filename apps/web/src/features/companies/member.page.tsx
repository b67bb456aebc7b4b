import { getCompanyOverview, type Reply, signatureProcessListById } from '@lavra/api';
import { limits } from '@lavra/domain';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useAccount } from '../../lib/account.ts';
import { useCall } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { errorText, retryOf } from '../../shell/error-text.ts';
import { Page } from '../../shell/page.tsx';
import { ProcessBadge, SignerBadge } from '../../shell/status-badge.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';

type Item = Reply<typeof signatureProcessListById>['items'][number];

/** `/view_member/:id`: what a member has sent to be signed, each with its signers. */
export function Component() {
  const { id = '' } = useParams();
  return <Member key={id} id={id} />;
}

function Member({ id }: { id: string }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const { data: account } = useAccount();
  const name = useMemberName(id);
  const size = limits.entityPageSize;
  const { data, error, refetch } = useCall(signatureProcessListById, { params: { id }, query: { page, size } });
  return (
    <Page title={name ?? t('company.processes')}>
      {account?.company?.authority === 'ROLE_ADMIN' && (
        <p>
          <Link to={`/your_company/${account.company.id}`}>{t('company.back')}</Link>
        </p>
      )}
      {error && !data ? (
        <Failed text={errorText(error, t)} onRetry={retryOf(error, refetch)} />
      ) : !data ? (
        <Loading rows={4} />
      ) : data.total === 0 ? (
        <Empty text={t('company.noProcesses')} />
      ) : (
        <>
          <Processes items={data.items} first={page * size} name={name ?? ''} />
          <Pagination
            page={page}
            pages={Math.ceil(data.total / size)}
            label={t('paging.label')}
            previous={t('paging.previous')}
            next={t('paging.next')}
            pageName={(number) => t('paging.page', { number })}
            onChange={setPage}
          />
        </>
      )}
    </Page>
  );
}

/** As the page before handed it over, or as the company has it. */
function useMemberName(id: string): string | undefined {
  const { state } = useLocation() as { state: { name?: string } | null };
  const { data: account } = useAccount();
  const companyId = account?.company?.id ?? '';
  const { data } = useCall(getCompanyOverview, { params: { id: companyId } }, { enabled: companyId !== '' && !state?.name });
  return state?.name ?? data?.members.find((member) => member.id === id)?.name;
}

function Processes({ items, first, name }: { items: readonly Item[]; first: number; name: string }) {
  const { t } = useTranslation();
  return (
    <div className="member-processes" role="list" aria-label={t('company.processesOf', { name })}>
      {items.map((item, index) => (
        <Process key={item.id} item={item} order={first + index + 1} />
      ))}
    </div>
  );
}

function Process({ item, order }: { item: Item; order: number }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const files = item.documents.join(', ');
  return (
    <div className="card member-process" role="listitem">
      <div className="member-process-row">
        <button
          type="button"
          className={open ? 'icon-button is-open' : 'icon-button'}
          aria-expanded={open}
          aria-label={t(open ? 'company.closeSigners' : 'company.openSigners', { title: item.title })}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron" />
        </button>
        <span className="member-process-order">{order}</span>
        <div className="member-process-files">
          <strong>{item.title}</strong>
          <span className="hint">{files}</span>
        </div>
        <dl>
          <dt>{t('company.column.created')}</dt>
          <dd>{formatDateTime(item.createdDate)}</dd>
          <dt>{t('company.column.due')}</dt>
          <dd>{item.dueDate === null ? t(item.hasOwnDeadlines ? 'word.dueEach' : 'company.noDue') : formatDateTime(item.dueDate)}</dd>
        </dl>
        <ProcessBadge status={item.status} />
      </div>
      {open && (
        <DataTable
          label={t('company.signersOf', { title: item.title })}
          items={item.signers}
          keyOf={({ order: place, email, name }) => `${place} ${email} ${name}`}
          columns={[
            { key: 'order', label: t('word.order'), cell: (signer) => signer.order + 1 },
            { key: 'name', label: t('word.name'), heading: true, cell: (signer) => signer.name },
            { key: 'email', label: t('word.email'), cell: (signer) => <span className="email">{signer.email}</span> },
            {
              key: 'status',
              label: t('word.status'),
              cell: (signer) => <SignerBadge status={signer.status} hasEnded={item.status !== 'IN_PROGRESS'} />,
            },
          ]}
        />
      )}
    </div>
  );
}
