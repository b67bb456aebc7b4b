import type { Attention } from '@lavra/api';
import { Link } from 'react-router';
import { type Translate, useTranslation } from '../../lib/i18n.ts';
import { formatCount } from '../../lib/format.ts';
import { formatDuration, formatMs, wordOf } from './words.ts';

/** Where more of it is told, and something can be done. */
const places: Record<Attention['kind'], '/admin/jobs' | '/admin/metrics'> = {
  jobsWait: '/admin/jobs',
  jobsGivenUp: '/admin/jobs',
  processesStuck: '/admin/jobs',
  slowCall: '/admin/metrics',
  slowJob: '/admin/metrics',
  databaseCrowded: '/admin/metrics',
  workersCrowded: '/admin/metrics',
  programLate: '/admin/metrics',
};

/** What is slow or stuck, and what that comes of as a rule. */
export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  const { t, i18n } = useTranslation();
  return (
    <section className="card" aria-labelledby="attention">
      <h2 id="attention">{t('health.attention')}</h2>
      {attention.length === 0 ? (
        <p className="hint">{t('health.attention.none')}</p>
      ) : (
        <ul className="attention-list">
          {attention.map((one) => (
            <li key={`${one.kind} ${one.name}`}>
              <strong>{sentenceOf(one, t, i18n.language)}</strong>
              <span>{t(`health.attention.${one.kind}.why`)}</span>
              <Link to={places[one.kind]}>{t(places[one.kind] === '/admin/jobs' ? 'jobs.title' : 'metrics.title')}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function sentenceOf({ kind, name, count, ms }: Attention, t: Translate, language: string): string {
  const names = { jobsWait: 'jobs.kind', jobsGivenUp: 'jobs.kind', slowJob: 'jobs.kind', processesStuck: 'jobs.phase' } as const;
  const key = kind in names ? names[kind as keyof typeof names] : null;
  return t(`health.attention.${kind}`, {
    name: key === null ? name : wordOf(t, key, name),
    number: formatCount(count),
    count,
    time: kind === 'jobsWait' ? formatDuration(ms / 1000) : formatMs(ms, language),
  });
}
