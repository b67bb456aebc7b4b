import { getThreadDump, type ThreadDump } from '@lavra/api';
import { useTranslation } from '../../lib/i18n.ts';
import { useCall } from '../../lib/calls.ts';
import { formatBytes, formatCount } from '../../lib/format.ts';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FactsCard } from './facts-card.tsx';
import { Answer } from './answer.tsx';
import { NodeFacts } from './node-facts.tsx';
import { formatMs } from './words.ts';

export function Component() {
  const { t } = useTranslation();
  const dump = useCall(getThreadDump, {}, { keepLast: true });
  return (
    <Page title={t('program.title')}>
      <div className="list-head">
        <button type="button" disabled={dump.isFetching} onClick={() => void dump.refetch()}>
          {t('program.again')}
        </button>
      </div>
      <Answer asked={dump}>
        {(data) => (
          <>
            <Threads dump={data} />
            <Lanes lanes={data.lanes} />
            <Heap heap={data.heap} />
            <Loop dump={data} />
            <NodeFacts node={data.node} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Threads({ dump: { threads } }: { dump: ThreadDump }) {
  const { t, i18n } = useTranslation();
  const stack = threads.flatMap(({ stackTrace }) => stackTrace);
  return (
    <section className="card" aria-labelledby="threads">
      <h2 id="threads">{t('program.threads')}</h2>
      <DataTable
        label={t('program.threads')}
        items={threads}
        keyOf={({ threadId }) => threadId}
        columns={[
          { key: 'name', label: t('program.thread'), heading: true, cell: ({ threadName }) => threadName },
          { key: 'pid', label: t('program.pid'), numeric: true, cell: ({ threadId }) => threadId },
          {
            key: 'state',
            label: t('program.state'),
            cell: ({ threadState }) => (
              <span className={threadState === 'RUNNABLE' ? 'badge' : 'badge badge-good'}>{t(`program.state.${threadState}`)}</span>
            ),
          },
          { key: 'task', label: t('program.task'), cell: ({ task }) => (task === null ? '—' : <code>{task}</code>) },
          {
            key: 'seconds',
            label: t('program.since'),
            numeric: true,
            cell: ({ seconds }) => (seconds === null ? '—' : formatMs(seconds * 1000, i18n.language)),
          },
        ]}
      />
      <details>
        <summary>{t('program.stack')}</summary>
        <ol className="stack">
          {stack.map(({ methodName, fileName, lineNumber }, index) => (
            <li key={index}>
              <code>
                {methodName} {fileName && `${fileName}:${lineNumber}`}
              </code>
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

function Lanes({ lanes }: { lanes: ThreadDump['lanes'] }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby="lanes">
      <h2 id="lanes">{t('program.lanes')}</h2>
      <p className="hint">{t('program.lanesAbout')}</p>
      <DataTable
        label={t('program.lanes')}
        items={lanes}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', label: t('program.lane'), heading: true, cell: ({ name }) => t(`program.lane.${name}`) },
          { key: 'working', label: t('program.working'), numeric: true, cell: ({ working, most }) => `${working} / ${most}` },
          { key: 'waiting', label: t('program.waiting'), numeric: true, cell: ({ waiting }) => formatCount(waiting) },
          { key: 'processes', label: t('program.processes'), numeric: true, cell: ({ processes }) => formatCount(processes) },
        ]}
      />
    </section>
  );
}

function Heap({ heap }: { heap: ThreadDump['heap'] }) {
  const { t } = useTranslation();
  const most = Math.max(...heap.spaces.map(({ committed }) => committed), 1);
  return (
    <section className="card" aria-labelledby="heap">
      <h2 id="heap">{t('program.heap')}</h2>
      <p>
        {t('program.heapOf', { used: formatBytes(heap.used), committed: formatBytes(heap.committed), limit: formatBytes(heap.limit) })}{' '}
        {t('program.beside', { rss: formatBytes(heap.rss), external: formatBytes(heap.external) })}
      </p>
      <ul className="plain spaces">
        {heap.spaces
          .filter(({ committed }) => committed > 0)
          .map(({ name, used, committed }) => (
            <li key={name}>
              <span>
                <code>{name}</code>
              </span>
              <span className="number">
                {formatBytes(used)} / {formatBytes(committed)}
              </span>
              <span className="space" aria-hidden="true">
                <span className="space-committed" style={{ width: `${(committed / most) * 100}%` }} />
                <span className="space-used" style={{ width: `${(used / most) * 100}%` }} />
              </span>
            </li>
          ))}
      </ul>
      <p className="hint">{t('program.noSnapshot')}</p>
    </section>
  );
}

function Loop({ dump: { eventLoop, handles } }: { dump: ThreadDump }) {
  const { t, i18n } = useTranslation();
  const facts: [string, string][] = [
    [t('program.utilization'), `${formatCount(Math.round(eventLoop.utilization * 100))} %`],
    [t('program.delayMean'), formatMs(eventLoop.meanMs, i18n.language)],
    [t('program.delayP99'), formatMs(eventLoop.p99Ms, i18n.language)],
    [t('program.delayMax'), formatMs(eventLoop.maxMs, i18n.language)],
    ...Object.entries(handles).map(([kind, count]): [string, string] => [t('program.handle', { kind }), formatCount(count)]),
  ];
  return <FactsCard id="loop" title={t('program.loop')} facts={facts} />;
}
