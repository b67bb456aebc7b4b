import { type InstallationCertificate, listInstallationCertificates } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { formatDateTime } from '../../lib/format.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Answer } from './answer.tsx';
import { IcpBrasilList } from './icp-brasil-list.tsx';

const kinds: Record<InstallationCertificate['state'], string> = {
  good: 'badge-good',
  soon: 'badge-wait',
  ended: 'badge-bad',
  history: '',
};

export function Component() {
  const { t } = useTranslation();
  const ends = useCall(listInstallationCertificates, {});
  return (
    <Page title={t('certificates.title')}>
      <Answer asked={ends}>
        {({ items }) => (
          <>
            <Warning items={items} />
            <section className="card" aria-labelledby="ends">
              <h2 id="ends">{t('certificates.ends')}</h2>
              <p className="hint">{t('certificates.endsAbout')}</p>
              <Ends items={items} />
            </section>
          </>
        )}
      </Answer>
      <IcpBrasilList />
    </Page>
  );
}

function Warning({ items }: { items: readonly InstallationCertificate[] }) {
  const { t } = useTranslation();
  const ended = items.filter(({ state }) => state === 'ended').length;
  const soon = items.filter(({ state }) => state === 'soon').length;
  if (ended > 0) return <Notice kind="error">{t('certificates.someEnded', { count: ended })}</Notice>;
  if (soon > 0) return <Notice kind="warning">{t('certificates.someSoon', { count: soon })}</Notice>;
  return <Notice kind="success">{t('certificates.allGood')}</Notice>;
}

function Ends({ items }: { items: readonly InstallationCertificate[] }) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('certificates.ends')}
      items={items}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'name',
          label: t('certificates.certificate'),
          heading: true,
          cell: ({ name, use }) => (
            <span className="told">
              {name} <span className="hint">{t(`certificates.use.${use}`)}</span>
            </span>
          ),
        },
        {
          key: 'endsAt',
          label: t('certificates.endsAt'),
          cell: ({ endsAt }) => <span className="moment">{formatDateTime(endsAt)}</span>,
        },
        {
          key: 'state',
          label: t('certificates.state'),
          cell: ({ state, daysLeft }) => (
            <span className={`badge ${kinds[state]}`}>
              {t(`certificates.state.${state === 'soon' && daysLeft < 1 ? 'today' : state}`, { count: Math.max(0, daysLeft) })}
            </span>
          ),
        },
        {
          key: 'fingerprint',
          label: t('certificates.fingerprint'),
          cell: ({ fingerprint }) => (fingerprint === null ? '—' : <code title={fingerprint}>{fingerprint.slice(0, 16)}…</code>),
        },
      ]}
    />
  );
}
