import { getInstallationHealth, type HealthStatusName, type InstallationHealth } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { Notice, Page } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Answer } from './answer.tsx';
import { AttentionList } from './attention-list.tsx';
import { MailTrial } from './mail-trial.tsx';
import { NodeFacts } from './node-facts.tsx';
import { StorageTrial } from './storage-trial.tsx';
import { wordOf } from './words.ts';

const EVERY_MS = 15_000;
/** While something was never looked at: the first look makes the server look. */
const SOON_MS = 2000;
const kinds: Record<HealthStatusName, string> = { UP: 'badge-good', DEGRADED: 'badge-wait', DOWN: 'badge-bad', UNKNOWN: '' };

type Component = InstallationHealth['components'][number];

export function Component() {
  const { t } = useTranslation();
  const health = useCall(
    getInstallationHealth,
    {},
    {
      pollAfter: (reply) => (reply?.components.some(({ status }) => status === 'UNKNOWN') ? SOON_MS : EVERY_MS),
    },
  );
  return (
    <Page title={t('health.title')}>
      <Answer asked={health}>
        {({ status, components, attention, node }) => (
          <>
            <Whole status={status} isWell={components.every(isWell) && attention.length === 0} />
            <AttentionList attention={attention} />
            <Components components={components} />
            <MailTrial />
            <StorageTrial />
            <NodeFacts node={node} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Whole({ status, isWell: all }: { status: 'UP' | 'DOWN'; isWell: boolean }) {
  const { t } = useTranslation();
  if (status === 'DOWN') return <Notice kind="error">{t('health.down')}</Notice>;
  return <Notice kind={all ? 'success' : 'warning'}>{t(all ? 'health.up' : 'health.degraded')}</Notice>;
}

const isWell = ({ status }: Component) => status === 'UP' || status === 'UNKNOWN';

function Components({ components }: { components: readonly Component[] }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-label={t('health.components')}>
      <DataTable
        label={t('health.components')}
        items={components}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', label: t('health.component'), heading: true, cell: ({ name }) => wordOf(t, 'health.component', name) },
          {
            key: 'status',
            label: t('health.status'),
            cell: ({ status }) => <span className={`badge ${kinds[status]}`}>{t(`health.status.${status}`)}</span>,
          },
          {
            key: 'reason',
            label: t('health.reason'),
            cell: ({ reason }) => (reason === null ? '—' : wordOf(t, 'health.reason', reason)),
          },
          { key: 'needed', label: t('health.needed'), cell: ({ needed }) => t(needed ? 'health.needed.yes' : 'health.needed.no') },
        ]}
      />
    </section>
  );
}
