import { getMetrics, type Metrics } from '@lavra/api';
import { Suspense } from 'react';
import { lazyInTime } from '../../lib/lazy-pages.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { formatBytes, formatCount } from '../../lib/format.ts';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Loading } from '../../ui/states.tsx';
import { FactsCard } from './facts-card.tsx';
import { Answer } from './answer.tsx';
import { NodeFacts } from './node-facts.tsx';
import { formatMs } from './words.ts';

const Chart = lazyInTime(async () => (await import('./chart.tsx')).Chart);
const EVERY_MS = 10_000;
const MOST = 30;

export function Component() {
  const { t } = useTranslation();
  const metrics = useCall(getMetrics, {}, { pollAfter: () => EVERY_MS });
  return (
    <Page title={t('metrics.title')}>
      <Answer asked={metrics}>
        {(data) => (
          <>
            <Suspense fallback={<Loading />}>
              <Charts samples={data.samples} />
            </Suspense>
            <Timings
              title={t('metrics.requests')}
              empty={t('metrics.noRequests')}
              rows={Object.entries(data.services).flatMap(([route, methods]) =>
                Object.entries(methods).map(([method, timing]) => ({
                  name: `${method} ${route === '-' ? t('metrics.unknownAddress') : route}`,
                  ...timing,
                })),
              )}
            />
            <Timings
              title={t('metrics.codes')}
              empty={t('metrics.noRequests')}
              rows={Object.entries(data['http.server.requests'].percode).map(([name, timing]) => ({ name, ...timing }))}
            />
            <Timings
              title={t('metrics.jobs')}
              empty={t('metrics.noJobs')}
              rows={Object.entries(data.jobs).map(([name, { done, failed }]) => ({ name, ...done, failed }))}
            />
            <Numbers data={data} />
            <NodeFacts node={data.node} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Charts({ samples }: { samples: Metrics['samples'] }) {
  const { t, i18n } = useTranslation();
  const megabytes = (value: number) => `${formatCount(Math.round(value / 1024 / 1024))} MB`;
  const percent = (value: number) => `${formatCount(Math.round(value * 100))} %`;
  const count = (value: number) => new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(value);
  return (
    <section className="card charts" aria-label={t('metrics.lastHour')}>
      <Chart
        title={t('metrics.memory')}
        at={samples.at}
        unit={1024 * 1024}
        format={megabytes}
        lines={[
          { label: t('metrics.rss'), values: samples.rss, colour: '--link' },
          { label: t('metrics.heapUsed'), values: samples.heapUsed, colour: '--blue' },
        ]}
      />
      <Chart
        title={t('metrics.processor')}
        at={samples.at}
        unit={0.01}
        format={percent}
        lines={[{ label: t('metrics.cpu'), values: samples.cpu, colour: '--link' }]}
      />
      <Chart
        title={t('metrics.answers')}
        at={samples.at}
        unit={1}
        format={count}
        lines={[
          { label: t('metrics.answered'), values: samples.requests, colour: '--link' },
          { label: t('metrics.faults'), values: samples.faults, colour: '--brick' },
        ]}
      />
      <Chart
        title={t('metrics.waits')}
        at={samples.at}
        unit={1}
        format={(value) => formatMs(value, i18n.language)}
        lines={[{ label: t('metrics.eventLoop'), values: samples.eventLoop, colour: '--amber' }]}
      />
    </section>
  );
}

interface TimingRow {
  name: string;
  count: number;
  mean: number;
  max: number;
  failed?: number;
}

function Timings({ title, empty, rows }: { title: string; empty: string; rows: readonly TimingRow[] }) {
  const { t, i18n } = useTranslation();
  const shown = rows.toSorted((a, b) => b.count - a.count).slice(0, MOST);
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {shown.length === 0 ? (
        <p className="hint">{empty}</p>
      ) : (
        <DataTable
          label={title}
          items={shown}
          keyOf={({ name }) => name}
          columns={[
            { key: 'name', label: t('metrics.name'), heading: true, cell: ({ name }) => <code>{name}</code> },
            { key: 'count', label: t('metrics.count'), numeric: true, cell: (row) => formatCount(row.count) },
            { key: 'mean', label: t('metrics.mean'), numeric: true, cell: ({ mean }) => formatMs(mean, i18n.language) },
            { key: 'max', label: t('metrics.max'), numeric: true, cell: ({ max }) => formatMs(max, i18n.language) },
            ...(shown.some(({ failed }) => failed !== undefined)
              ? [{ key: 'failed', label: t('metrics.failed'), numeric: true, cell: ({ failed = 0 }: TimingRow) => formatCount(failed) }]
              : []),
          ]}
        />
      )}
    </section>
  );
}

function Numbers({ data }: { data: Metrics }) {
  const { t, i18n } = useTranslation();
  const { processMetrics: program, databases, garbageCollector } = data;
  const facts: [string, string][] = [
    [t('metrics.load'), new Intl.NumberFormat(i18n.language).format(program['system.load.average.1m'] ?? 0)],
    [t('metrics.cores'), formatCount(program['system.cpu.count'] ?? 0)],
    [t('metrics.external'), formatBytes(program['process.memory.external'] ?? 0)],
    ...Object.entries(databases).map(([name, { value }]): [string, string] => [t(`metrics.pool.${name}`), formatCount(value)]),
    ...Object.entries(garbageCollector).map(([name, { count, mean }]): [string, string] => [
      t('metrics.collection', { kind: name }),
      `${formatCount(count)} × ${formatMs(mean, i18n.language)}`,
    ]),
  ];
  return <FactsCard id="numbers" title={t('metrics.numbers')} facts={facts} />;
}
